// One round of the search on a card. mirror.rs is the same in Rust and says what is done and why; flat.rs and piece.rs
// describe the buffers. The two are tested against each other on a CPU: this file compiles as C++ as well.

#include "tables.cuh"

// Threads of a block, if a multiprocessor has one block or two.
#ifndef ONE_BLOCK
#define ONE_BLOCK 1024
#define TWO_BLOCKS 512
#endif

// Words of 32 bits for the tiles of a board of up to 28 cells.
const u32 TILE_WORDS = 7;
const u32 STACK_FRAMES = 256;

// What the threads of a block share, and what each thread has.
template <int STAGES, u32 THREADS>
struct Shared {
    u32 steps[STAGES * 32 * 4];
    u16 part_of[STAGES * 32];
    Part parts[MOST_PARTS];
    u32 tiles[TILE_WORDS * THREADS];
    // Then the sights by part and thread, the products, and what is near.
};

template <int STAGES, Near NEAR, u32 THREADS>
static __device__ __forceinline__ void search(const Params &p) {
    const u32 me = threadIdx.x;
    const u64 thread = (u64)blockIdx.x * THREADS + me;
    typedef Shared<STAGES, THREADS> Fixed;
    extern __shared__ u64 memory[];
    Fixed &shared = *(Fixed *)memory;
    u64 *sights = memory + (sizeof(Fixed) + 7) / 8 + me;
    u8 *products = (u8 *)(memory + (sizeof(Fixed) + 7) / 8 + p.part_count * THREADS);
    for (u32 i = me; i < STAGES * 32 * 4; i += THREADS) shared.steps[i] = p.steps[i];
    for (u32 i = me; i < STAGES * 32; i += THREADS) shared.part_of[i] = p.part_of[i];
    for (u32 i = me; i < p.part_count; i += THREADS) shared.parts[i] = p.parts[i];
    for (u32 i = me; i < p.product_bytes; i += THREADS) products[i] = p.products[i];
    u32 *upper = (u32 *)(products + p.product_bytes);
    u16 *lower = (u16 *)(upper + p.upper_count);
    u16 *turned = lower + p.lower_count;
    if (NEAR != NOTHING) {
        for (u32 i = me; i < p.upper_count; i += THREADS) upper[i] = p.upper[i];
        for (u32 i = me; i < p.lower_count; i += THREADS) lower[i] = p.lower[i];
    }
    if (NEAR == TURNS) {
        for (u32 i = me; i < p.turned_count; i += THREADS) turned[i] = p.turned[i];
    }
    __syncthreads();
    const Numbers<NEAR> numbers = {
        products,
        NEAR == NOTHING ? p.upper : upper,
        NEAR == NOTHING ? p.lower : lower,
        NEAR == TURNS ? turned : p.turned,
    };
    u64 *frames = p.frames + thread * STACK_FRAMES;
    u8 *tiles = (u8 *)(shared.tiles + me);
#define TILE(cell) tiles[((cell) >> 2) * (4 * THREADS) + ((cell) & 3)]
#define SIGHT(part) sights[(part) * THREADS]

    // The piece, and its counts.
    const u64 *piece = 0;
    u32 expanded = 0, generated = 0;
    // The node: how deep below the piece, the automaton, pending children with the bits of their distances.
    int level = -1;
    u32 walk = 0, bits = 0, blank = 0, left = 0;
    u32 sums[STAGES];
    bool fresh = false;
    u32 rounds = 0;
    // Few pieces have to be divided soon; with many, looking at what the others do costs more than it brings.
    const u32 pause = p.take < 4 * gridDim.x * THREADS ? 15 : 127;

    // What may follow the node, unless it has been left and come back to since.
    uint4 walks = {};
    bool known_walks = false;

    // Ends a piece, or what was done of it.
    auto count = [&]() {
        u32 subtree = (u32)piece[PLACE_AT + 1];
        atomicAdd(p.counts + 2 * subtree, (u64)expanded);
        atomicAdd(p.counts + 2 * subtree + 1, (u64)generated);
        atomicAdd(&p.control->expanded, (u64)expanded);
        atomicAdd(&p.control->generated, (u64)generated);
        return subtree;
    };

    // Takes the last move back.
    auto undo = [&]() {
        level -= 1;
        left += 1;
        u64 frame = frames[level];
        walk = (u32)(frame >> 32);
        bits = (u32)frame;
        known_walks = false;
        u32 direction = bits >> 4 & 3;
        u32 child = bits >> 6 & 3;
        u32 from = step_cell(shared.steps[blank * 4 + 3 - direction]);
        u32 tile = TILE(from);
        TILE(blank) = tile;
        blank = from;
#pragma unroll
        for (int s = 0; s < STAGES; s++) {
            u32 of = shared.part_of[s * 32 + tile];
            if (of == NONE) continue;
            u32 part = of & 15, known = of >> 4;
            u32 up = bits >> (8 + 4 * s + child) & 1;
            sums[s] -= 2 * up - 1;
            if (known == 15) {
                u32 step = taken_back(shared.steps[(s * 32 + from) * 4 + direction]);
                SIGHT(part) = numbers.sight_after(shared.parts[part], SIGHT(part), step, 1 - up);
            }
        }
    };

    for (;;) {
        // 1. Back to a node with a child that is not done.
        while (level > 0 && !fresh && !(bits & 15)) undo();
        if (level == 0 && !fresh && !(bits & 15)) {
            atomicSub(p.open + count(), 1u);
            level = -1;
        }
        // 2. Now and then: is there anything else to do?
        if (level < 0 || (++rounds & pause) == 0) {
            volatile Control *control = p.control;
            u32 stop = control->stop;
            if (control->found || stop > 1) break;
            if (level >= 0 && control->out <= p.capacity && (stop || expanded >= p.most
                || (expanded >= p.least && control->next >= p.take))) {
                // 2a. Give back what is left of the piece, if there is room.
                u32 nodes = bits & 15 || fresh ? 1 : 0;
#pragma unroll 1
                for (int i = 0; i < level; i++) nodes += frames[i] & 15 ? 1 : 0;
                u32 first = atomicAdd(&p.control->out, nodes);
                if (first + nodes <= p.capacity) {
                    // The paths, from the piece down.
                    u64 path[PATH_WORDS];
#pragma unroll 1
                    for (u32 i = 0; i < PATH_WORDS; i++) path[i] = piece[PATH_AT + i];
                    u32 depth = (u32)(piece[PLACE_AT + 1] >> 48) & 0xff;
                    u32 at = first;
#pragma unroll 1
                    for (int i = 0; i <= level; i++) {
                        u32 frame = i < level ? (u32)frames[i] : bits;
                        if (frame & 15 || (i == level && fresh)) {
                            u64 *out = p.out + (u64)at * p.stride;
#pragma unroll 1
                            for (u32 j = 0; j < PATH_WORDS; j++) out[PATH_AT + j] = path[j];
                            at += 1;
                        }
                        if (i < level) {
                            u32 d = depth + i;
                            path[d / 32] |= (u64)(frame >> 4 & 3) << (2 * (d % 32));
                        }
                    }
                    // The nodes, from the deepest up.
                    for (;;) {
                        if (bits & 15 || fresh) {
                            at -= 1;
                            u64 *out = p.out + (u64)at * p.stride;
#pragma unroll 1
                            for (u32 j = 0; j < 4; j++) {
                                u64 low = shared.tiles[me + 2 * j * THREADS];
                                u64 high = j < 3 ? shared.tiles[me + (2 * j + 1) * THREADS] : 0;
                                out[j] = low | high << 32;
                            }
                            out[PLACE_AT] = (u64)bits << 32 | walk;
                            out[PLACE_AT + 1] = (u64)(u32)piece[PLACE_AT + 1] | (u64)blank << 32 | (u64)left << 40
                                | (u64)(depth + level) << 48 | (u64)fresh << 56;
                            u64 packed = 0;
                            for (int s = 0; s < STAGES; s++) packed |= (u64)sums[s] << (8 * s);
                            out[SUMS_AT] = packed;
#pragma unroll 1
                            for (u32 j = 0; j < p.part_count; j++) out[SIGHTS_AT + j] = SIGHT(j);
                        }
                        fresh = false;
                        if (level == 0) break;
                        undo();
                    }
                    atomicAdd(p.open + count(), nodes - 1);
                    level = -1;
                } else {
                    // Nobody finds room from now on, so what was given back has no gaps.
                    atomicMin(&p.control->full, first);
                }
            }
            if (level < 0) {
                // 2b. The next piece.
                if (stop) break;
                u32 i = atomicAdd(&p.control->next, 1u);
                if (i >= p.take) break;
                piece = p.pieces + (u64)(p.piece_count - 1 - i) * p.stride;
#pragma unroll 1
                for (u32 j = 0; j < TILE_WORDS; j++) {
                    shared.tiles[me + j * THREADS] = (u32)(piece[j / 2] >> (32 * (j & 1)));
                }
                walk = (u32)piece[PLACE_AT];
                bits = (u32)(piece[PLACE_AT] >> 32);
                u64 place = piece[PLACE_AT + 1];
                blank = (u32)(place >> 32) & 0xff;
                left = (u32)(place >> 40) & 0xff;
                fresh = place >> 56;
                for (int s = 0; s < STAGES; s++) sums[s] = (u32)(piece[SUMS_AT] >> (8 * s)) & 0xff;
#pragma unroll 1
                for (u32 j = 0; j < p.part_count; j++) SIGHT(j) = piece[SIGHTS_AT + j];
                known_walks = false;
                level = 0;
                expanded = 0;
                generated = 0;
                if (!fresh && !(bits & 15)) continue;
            }
        }
        // 3. Down to the child.
        if (!fresh) {
            u32 child = 31 - __clz(bits & 15);
            if (!known_walks) walks = __ldg(p.walks + walk);
            u32 next = child == 0 ? walks.x : child == 1 ? walks.y : child == 2 ? walks.z : walks.w;
            u32 direction = next >> 30;
            bits = (bits & ~(1u << child) & ~(15u << 4)) | direction << 4 | child << 6;
            frames[level] = (u64)walk << 32 | bits;
            u32 cell = step_cell(shared.steps[blank * 4 + direction]);
            u32 tile = TILE(cell);
#pragma unroll
            for (int s = 0; s < STAGES; s++) {
                u32 of = shared.part_of[s * 32 + tile];
                if (of == NONE) continue;
                u32 part = of & 15, known = of >> 4;
                u32 up = bits >> (8 + 4 * s + child) & 1;
                sums[s] += 2 * up - 1;
                if (known == 15) {
                    u32 step = shared.steps[(s * 32 + blank) * 4 + direction];
                    SIGHT(part) = numbers.sight_after(shared.parts[part], SIGHT(part), step, up);
                }
            }
            TILE(blank) = tile;
            blank = cell;
            walk = next & low_bits(30);
            left -= 1;
            level += 1;
        }
        // 4. Its children: all of them in the first stage, those that are left in the others.
        fresh = false;
        expanded += 1;
        walks = __ldg(p.walks + walk);
        known_walks = true;
        u32 next[CHILDREN] = {walks.x, walks.y, walks.z, walks.w};
        u32 pending = 0;
#pragma unroll
        for (u32 c = 0; c < CHILDREN; c++) pending |= next[c] != END ? 1u << c : 0;
        generated += __popc(pending);
        bits = 0;
#pragma unroll
        for (int s = 0; s < STAGES; s++) {
            u32 ups = 0;
            // The look-up of each child, and from bit 26 on its part.
            u32 asks[CHILDREN];
            u64 entries[CHILDREN];
            u32 asked = 0, added = 0;
#pragma unroll
            for (u32 c = 0; c < CHILDREN; c++) {
                if (!(pending >> c & 1)) continue;
                u32 direction = next[c] >> 30;
                u32 step = shared.steps[(s * 32 + blank) * 4 + direction];
                u32 tile = TILE(step_cell(step));
                u32 of = shared.part_of[s * 32 + tile];
                if (of == NONE) continue;
                added |= 1u << c;
                u32 known = of >> 4;
                if (known != 15) {
                    ups |= (bits >> (8 + 4 * known + c) & 1) << c;
                    continue;
                }
                asked |= 1u << c;
                const Part &part = shared.parts[of & 15];
                u64 sight = SIGHT(of & 15);
                u32 code = numbers.code_after(part, sight, step);
                u32 map = (u32)sight ^ step_both(step);
                entries[c] = __ldg(p.entries + part.entries + numbers.map_number(part, map));
                asks[c] = ask_of(part, code, map, step) | (of & 15) << 26;
            }
            u32 bytes[CHILDREN];
#pragma unroll
            for (u32 c = 0; c < CHILDREN; c++) {
                if (!(asked >> c & 1)) continue;
                const Part &part = shared.parts[asks[c] >> 26];
                u64 bit = (asks[c] & 0xffff) * part.row_bits + place_of(p, part, entries[c], asks[c]);
                bytes[c] = table_byte(part.bits + (bit >> 3));
                // The part stays, and the bit in the byte.
                asks[c] = (asks[c] & ~7u) | (u32)(bit & 7);
            }
#pragma unroll
            for (u32 c = 0; c < CHILDREN; c++) {
                if (asked >> c & 1) {
                    u32 value = (u32)(SIGHT(asks[c] >> 26) >> 48);
                    ups |= goes_up(value, bytes[c] >> (asks[c] & 7)) << c;
                }
                if (!(added >> c & 1)) continue;
                u32 up = ups >> c & 1;
                u32 sum = sums[s] + 2 * up - 1;
                if (s == 0 && sum == 0 && sum < left) {
                    // 4a. The goal.
                    if (atomicCAS(&p.control->found, 0u, 1u) == 0) {
                        u64 path[PATH_WORDS];
#pragma unroll 1
                        for (u32 i = 0; i < PATH_WORDS; i++) path[i] = piece[PATH_AT + i];
                        u32 depth = (u32)(piece[PLACE_AT + 1] >> 48) & 0xff;
#pragma unroll 1
                        for (int i = 0; i <= level; i++) {
                            u32 d = depth + i;
                            u64 direction = i < level ? frames[i] >> 4 & 3 : next[c] >> 30;
                            path[d / 32] |= direction << (2 * (d % 32));
                        }
#pragma unroll 1
                        for (u32 i = 0; i < PATH_WORDS; i++) p.control->path[i] = path[i];
                        p.control->length = depth + level + 1;
                    }
                }
                if (sum >= left) pending &= ~(1u << c);
            }
            bits |= ups << (8 + 4 * s);
        }
        bits |= pending;
    }
    // What was begun and not ended counts, too.
    if (level >= 0) count();
#undef TILE
#undef SIGHT
}

#define KERNEL(STAGES, NEAR, THREADS, BLOCKS, NAME) \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) NAME(const Params p) { \
        search<STAGES, NEAR, THREADS>(p); \
    }

KERNEL(1, NOTHING, TWO_BLOCKS, 2, search1)
KERNEL(2, NOTHING, TWO_BLOCKS, 2, search2)
KERNEL(3, NOTHING, TWO_BLOCKS, 2, search3)
KERNEL(4, NOTHING, TWO_BLOCKS, 2, search4)
KERNEL(6, NOTHING, TWO_BLOCKS, 2, search6)
KERNEL(1, RANKS, TWO_BLOCKS, 2, ranks1)
KERNEL(2, RANKS, TWO_BLOCKS, 2, ranks2)
KERNEL(4, RANKS, TWO_BLOCKS, 2, ranks4)
KERNEL(1, TURNS, ONE_BLOCK, 1, turns1)
KERNEL(2, TURNS, ONE_BLOCK, 1, turns2)
KERNEL(4, TURNS, ONE_BLOCK, 1, turns4)
