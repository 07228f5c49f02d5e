// A layer of a beam search on a card: the children of all nodes, and the best of them as the next layer. mirror_beam.rs
// is the same in Rust and says what is done and why; a node is a piece (piece.rs).

#include "tables.cuh"

#ifndef BEAM_THREADS
#define BEAM_THREADS 256
#endif

// One more than the largest score.
const u32 SCORES = 2048;

// A child that was looked up: its parent, and direction (2 bits), whether it raises each stage (6 bits), score.
struct Child {
    u32 parent;
    u32 move;
};

// What a layer begins with and ends with.
struct Layer {
    u32 children;
    u32 kept;
    // Children with the score of the cut that have asked for room.
    u32 ties;
    u32 found;
    u32 length;
    u32 more;
    u64 path[PATH_WORDS];
    u32 scores[SCORES];
};

struct Beam {
    const u64 *nodes;
    u64 *next;
    Child *children;
    // Positions seen, by a part of their hash.
    u32 *seen;
    Layer *layer;
    u32 stages;
    u32 node_count;
    // How many children there is room for.
    u32 capacity;
    // The hash has this number of bits too many to be a place in `seen`.
    u32 shift;
    // Children with a smaller score go on, and this number of those with the same one.
    u32 cut;
    u32 room;
};

static __device__ __forceinline__ u64 mixed(u64 number) {
    number *= 0x9e3779b97f4a7c15ull;
    return number ^ number >> 32;
}

// The words of a node with the tile of a cell moved to the blank.
static __device__ __forceinline__ void move_tile(u64 words[4], u32 blank, u32 cell, u64 tile) {
#pragma unroll
    for (u32 j = 0; j < 4; j++) {
        u64 there = blank >> 3 == j ? tile << (8 * (blank & 7)) : 0;
        u64 here = cell >> 3 == j ? tile << (8 * (cell & 7)) : 0;
        words[j] = (words[j] & ~here) | there;
    }
}

// The place of a thread among those of its block that want one, and of its block among all.
static __device__ __forceinline__ u32 places(u32 wanted, u32 *of_block, u32 *of_all) {
    if (threadIdx.x == 0) of_block[0] = 0;
    __syncthreads();
    u32 mine = wanted > 0 ? atomicAdd(&of_block[0], wanted) : 0;
    __syncthreads();
    if (threadIdx.x == 0) of_block[1] = atomicAdd(of_all, of_block[0]);
    __syncthreads();
    u32 first = of_block[1];
    __syncthreads();
    return first + mine;
}

extern "C" __global__ void __launch_bounds__(BEAM_THREADS) beam_children(const Params p, const Beam b) {
    __shared__ u32 scores[SCORES];
    __shared__ u32 of_block[2];
    for (u32 i = threadIdx.x; i < SCORES; i += BEAM_THREADS) scores[i] = 0;
    __syncthreads();
    const Numbers<false> numbers = {p.products, p.upper, p.lower, p.turned};
    u64 end = (u64)b.node_count;
    for (u64 first = (u64)blockIdx.x * BEAM_THREADS; first < end; first += (u64)gridDim.x * BEAM_THREADS) {
        u32 i = (u32)first + threadIdx.x;
        u32 moves[CHILDREN];
        u32 wanted = 0;
        if (i < b.node_count) {
            const u64 *node = b.nodes + (u64)i * p.stride;
            const u8 *tiles = (const u8 *)node;
            u64 place = node[PLACE_AT + 1];
            u32 blank = (u32)(place >> 32) & 0xff;
            u32 left = (u32)(place >> 40) & 0xff;
            u32 depth = (u32)(place >> 48) & 0xff;
            u32 came = depth > 0 ? (u32)(node[PATH_AT + (depth - 1) / 32] >> (2 * ((depth - 1) & 31))) & 3 : 4;
            u64 sums = node[SUMS_AT];
#pragma unroll
            for (u32 d = 0; d < CHILDREN; d++) {
                u32 step = p.steps[blank * 4 + d];
                // Off the board, or straight back.
                if (!(step & 0x3ff) || d + came == 3) continue;
                u32 cell = step_cell(step);
                u32 tile = tiles[cell];
                u32 ups = 0, score = 0;
                bool is_in = true;
                for (u32 s = 0; s < b.stages; s++) {
                    u32 sum = (u32)(sums >> (8 * s)) & 0xff;
                    u32 of = p.part_of[s * 32 + tile];
                    if (of != NONE) {
                        u32 up = ups >> (of >> 4) & 1;
                        if (of >> 4 == 15) {
                            u64 sight = node[SIGHTS_AT + (of & 15)];
                            up = goes_up(sight, p.parts[of & 15], numbers, p, p.steps[(s * 32 + blank) * 4 + d]);
                        }
                        ups |= up << s;
                        sum += 2 * up - 1;
                    }
                    score += sum;
                    is_in = sum < left;
                    if (!is_in) break;
                    if (s == 0 && sum == 0) {
                        // The goal.
                        if (atomicCAS(&b.layer->found, 0u, 1u) == 0) {
                            for (u32 j = 0; j < PATH_WORDS; j++) {
                                b.layer->path[j] = node[PATH_AT + j]
                                    | (j == depth / 32 ? (u64)d << (2 * (depth & 31)) : 0);
                            }
                            b.layer->length = depth + 1;
                        }
                    }
                }
                if (!is_in) continue;
                u64 words[4] = {node[0], node[1], node[2], node[3]};
                move_tile(words, blank, cell, tile);
                u64 hash = mixed(words[0] ^ mixed(words[1] ^ mixed(words[2] ^ mixed(words[3]))));
                u32 mark = (u32)hash | 1;
                if (atomicExch(b.seen + (hash >> b.shift), mark) == mark) continue;
                moves[d] = d | ups << 2 | score << 8;
                wanted |= 1u << d;
                atomicAdd(&scores[score], 1u);
            }
        }
        u32 at = places(__popc(wanted), of_block, &b.layer->children);
#pragma unroll
        for (u32 d = 0; d < CHILDREN; d++) {
            if (!(wanted >> d & 1)) continue;
            if (at < b.capacity) {
                Child child = {i, moves[d]};
                b.children[at] = child;
            }
            at += 1;
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < SCORES; i += BEAM_THREADS) {
        if (scores[i] > 0) atomicAdd(&b.layer->scores[i], scores[i]);
    }
}

extern "C" __global__ void __launch_bounds__(BEAM_THREADS) beam_next(const Params p, const Beam b) {
    __shared__ u32 of_block[2];
    const Numbers<false> numbers = {p.products, p.upper, p.lower, p.turned};
    u64 end = b.layer->children < b.capacity ? b.layer->children : b.capacity;
    for (u64 first = (u64)blockIdx.x * BEAM_THREADS; first < end; first += (u64)gridDim.x * BEAM_THREADS) {
        u64 i = first + threadIdx.x;
        Child child = {};
        if (i < end) child = b.children[i];
        u32 score = child.move >> 8;
        bool ties = i < end && score == b.cut;
        u32 place_of_tie = places(ties ? 1 : 0, of_block, &b.layer->ties);
        bool goes_on = i < end && (score < b.cut || (ties && place_of_tie < b.room));
        u32 at = places(goes_on ? 1 : 0, of_block, &b.layer->kept);
        if (!goes_on) continue;
        const u64 *node = b.nodes + (u64)child.parent * p.stride;
        u64 *next = b.next + (u64)at * p.stride;
        u32 d = child.move & 3;
        u64 place = node[PLACE_AT + 1];
        u32 blank = (u32)(place >> 32) & 0xff;
        u32 left = (u32)(place >> 40) & 0xff;
        u32 depth = (u32)(place >> 48) & 0xff;
        u32 cell = step_cell(p.steps[blank * 4 + d]);
        u32 tile = ((const u8 *)node)[cell];
        u64 words[4] = {node[0], node[1], node[2], node[3]};
        move_tile(words, blank, cell, tile);
        for (u32 j = 0; j < 4; j++) next[j] = words[j];
        for (u32 j = 0; j < PATH_WORDS; j++) {
            next[PATH_AT + j] = node[PATH_AT + j] | (j == depth / 32 ? (u64)d << (2 * (depth & 31)) : 0);
        }
        next[PLACE_AT] = 0;
        next[PLACE_AT + 1] = (u64)cell << 32 | (u64)(left - 1) << 40 | (u64)(depth + 1) << 48;
        for (u32 j = 0; j < p.part_count; j++) next[SIGHTS_AT + j] = node[SIGHTS_AT + j];
        u64 sums = node[SUMS_AT];
        for (u32 s = 0; s < b.stages; s++) {
            u32 of = p.part_of[s * 32 + tile];
            if (of == NONE) continue;
            u32 up = child.move >> (2 + s) & 1;
            sums += up ? 1ull << (8 * s) : 0ull - (1ull << (8 * s));
            if (of >> 4 == 15) {
                u32 step = p.steps[(s * 32 + blank) * 4 + d];
                u64 sight = node[SIGHTS_AT + (of & 15)];
                next[SIGHTS_AT + (of & 15)] = numbers.sight_after(p.parts[of & 15], sight, step, up);
            }
        }
        next[SUMS_AT] = sums;
    }
}
