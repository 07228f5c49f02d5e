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
// Nodes on the stack of a thread: a node has at most 255 moves left.
const u32 MOST_KEPT = 256;

// What the threads of a block share, and what each thread has.
template <u32 THREADS>
struct Shared {
    u32 steps[MOST_STAGES * 32 * 4];
    u16 part_of[MOST_STAGES * 32];
    Part parts[MOST_PARTS];
    u32 tiles[TILE_WORDS * THREADS];
    // Then the sights by part and thread, the products, and what is near.
};

template <bool NEAR, u32 THREADS>
static __device__ __forceinline__ void search(const Params &p) {
    const u32 me = threadIdx.x;
    const u64 thread = (u64)blockIdx.x * THREADS + me;
    typedef Shared<THREADS> Fixed;
    extern __shared__ u64 memory[];
    Fixed &shared = *(Fixed *)memory;
    u64 *sights = memory + (sizeof(Fixed) + 7) / 8 + me;
    u8 *products = (u8 *)(memory + (sizeof(Fixed) + 7) / 8 + p.part_count * THREADS);
    for (u32 i = me; i < p.stages * 32 * 4; i += THREADS) shared.steps[i] = p.steps[i];
    for (u32 i = me; i < p.stages * 32; i += THREADS) shared.part_of[i] = p.part_of[i];
    for (u32 i = me; i < p.part_count; i += THREADS) shared.parts[i] = p.parts[i];
    for (u32 i = me; i < p.product_bytes; i += THREADS) products[i] = p.products[i];
    u32 *upper = (u32 *)(products + p.product_bytes);
    u16 *lower = (u16 *)(upper + p.upper_count);
    if (NEAR) {
        for (u32 i = me; i < p.upper_count; i += THREADS) upper[i] = p.upper[i];
        for (u32 i = me; i < p.lower_count; i += THREADS) lower[i] = p.lower[i];
    }
    __syncthreads();
    const Numbers<NEAR> numbers = {products, NEAR ? upper : p.upper, NEAR ? lower : p.lower, p.turned};
    uint4 *stack = p.stack + thread * MOST_KEPT * p.kept_size;
    u8 *tiles = (u8 *)(shared.tiles + me);
#define TILE(cell) tiles[((cell) >> 2) * (4 * THREADS) + ((cell) & 3)]
#define SIGHT(part) sights[(part) * THREADS]

    // The piece, its counts, and the nodes of it that are kept on the stack.
    const u64 *piece = 0;
    u32 expanded = 0, generated = 0, kept = 0;
    bool has_piece = false;
    // The node: the automaton, pending children with the bits of their distances, moves left and so far, the moves of the
    // last word of its path.
    u32 walk = 0, bits = 0, blank = 0, left = 0, depth = 0;
    u64 path = 0;
    // The sum of each stage, a byte each.
    u64 sums = 0;
    bool fresh = false;
    // Whether the node is the one on top of the stack, and what may follow it, if that is at hand.
    bool is_kept = false;
    uint4 walks = {};
    bool knows_walks = false;
    // The full words of the path.
    u64 words[PATH_WORDS];
    u32 rounds = 0;
    // Few pieces have to be divided soon; with many, looking at what the others do costs more than it brings.
    const u32 pause = p.take < 4 * gridDim.x * THREADS ? 15 : 127;

    // Ends a piece, or what was done of it.
    auto count = [&]() {
        u32 subtree = (u32)piece[PLACE_AT + 1];
        atomicAdd(p.counts + 2 * subtree, (u64)expanded);
        atomicAdd(p.counts + 2 * subtree + 1, (u64)generated);
        atomicAdd(&p.control->expanded, (u64)expanded);
        atomicAdd(&p.control->generated, (u64)generated);
        return subtree;
    };

    // Puts the node on the stack: tiles, then the automaton and the rest, then what the parts know.
    auto keep = [&]() {
        uint4 *at = stack + kept * p.kept_size;
        const u32 *tile = shared.tiles + me;
        u64 sight = SIGHT(0);
        at[0] = make_uint4(tile[0], tile[THREADS], tile[2 * THREADS], tile[3 * THREADS]);
        at[1] = make_uint4(tile[4 * THREADS], tile[5 * THREADS], tile[6 * THREADS], walk);
        at[2] = make_uint4(bits, blank | left << 8 | depth << 16, (u32)sums, (u32)(sums >> 32));
        at[3] = make_uint4((u32)path, (u32)(path >> 32), (u32)sight, (u32)(sight >> 32));
        for (u32 j = 1; j < p.part_count; j += 2) {
            u64 one = SIGHT(j), two = j + 1 < p.part_count ? SIGHT(j + 1) : 0;
            at[4 + j / 2] = make_uint4((u32)one, (u32)(one >> 32), (u32)two, (u32)(two >> 32));
        }
        kept += 1;
    };

    // Goes back to the node on top of the stack.
    auto go_back = [&]() {
        const uint4 *at = stack + (kept - 1) * p.kept_size;
        u32 *tile = shared.tiles + me;
        uint4 a = at[0], b = at[1], c = at[2], d = at[3];
        tile[0] = a.x;
        tile[THREADS] = a.y;
        tile[2 * THREADS] = a.z;
        tile[3 * THREADS] = a.w;
        tile[4 * THREADS] = b.x;
        tile[5 * THREADS] = b.y;
        tile[6 * THREADS] = b.z;
        walk = b.w;
        bits = c.x;
        blank = c.y & 0xff;
        left = c.y >> 8 & 0xff;
        depth = c.y >> 16;
        sums = c.z | (u64)c.w << 32;
        path = d.x | (u64)d.y << 32;
        SIGHT(0) = d.z | (u64)d.w << 32;
        for (u32 j = 1; j < p.part_count; j += 2) {
            uint4 e = at[4 + j / 2];
            SIGHT(j) = e.x | (u64)e.y << 32;
            if (j + 1 < p.part_count) SIGHT(j + 1) = e.z | (u64)e.w << 32;
        }
        is_kept = true;
        knows_walks = false;
    };

    for (;;) {
        // The threads of a warp go on together, whatever each of them did in the last turn.
        __syncwarp();
        // 1. Back to a node with a child that is not done.
        if (has_piece && !fresh && !(bits & 15)) {
            if (kept > 0) {
                go_back();
            } else {
                atomicSub(p.open + count(), 1u);
                has_piece = false;
            }
        }
        // 2. Now and then: is there anything else to do?
        if (!has_piece || (++rounds & pause) == 0) {
            volatile Control *control = p.control;
            u32 stop = control->stop;
            if (control->found || stop > 1) break;
            if (has_piece && control->out <= p.capacity && (stop || expanded >= p.most
                || (expanded >= p.least && control->next >= p.take))) {
                // 2a. Give back what is left of the piece, if there is room. The deepest node comes last.
                u32 nodes = is_kept ? kept : kept + 1;
                u32 first = atomicAdd(&p.control->out, nodes);
                if (first + nodes <= p.capacity) {
                    for (u32 at = first + nodes;;) {
                        at -= 1;
                        u64 *out = p.out + (u64)at * p.stride;
#pragma unroll 1
                        for (u32 j = 0; j < 4; j++) {
                            u64 low = shared.tiles[me + 2 * j * THREADS];
                            u64 high = j < 3 ? shared.tiles[me + (2 * j + 1) * THREADS] : 0;
                            out[j] = low | high << 32;
                        }
#pragma unroll 1
                        for (u32 j = 0; j < PATH_WORDS; j++) {
                            out[PATH_AT + j] = j < depth / 32 ? words[j] : j == depth / 32 ? path : 0;
                        }
                        out[PLACE_AT] = (u64)bits << 32 | walk;
                        out[PLACE_AT + 1] = (u64)(u32)piece[PLACE_AT + 1] | (u64)blank << 32 | (u64)left << 40
                            | (u64)depth << 48 | (u64)fresh << 56;
                        out[SUMS_AT] = sums;
#pragma unroll 1
                        for (u32 j = 0; j < p.part_count; j++) out[SIGHTS_AT + j] = SIGHT(j);
                        fresh = false;
                        if (is_kept) kept -= 1;
                        if (kept == 0) break;
                        go_back();
                    }
                    atomicAdd(p.open + count(), nodes - 1);
                    has_piece = false;
                } else {
                    // Nobody finds room from now on, so what was given back has no gaps.
                    atomicMin(&p.control->full, first);
                }
            }
            if (!has_piece) {
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
                depth = (u32)(place >> 48) & 0xff;
                fresh = place >> 56;
                sums = piece[SUMS_AT];
#pragma unroll 1
                for (u32 j = 0; j < p.part_count; j++) SIGHT(j) = piece[SIGHTS_AT + j];
#pragma unroll 1
                for (u32 j = 0; j < PATH_WORDS; j++) words[j] = piece[PATH_AT + j];
                path = piece[PATH_AT + depth / 32];
                has_piece = true;
                is_kept = false;
                knows_walks = false;
                kept = 0;
                expanded = 0;
                generated = 0;
            }
        }
        // 3. Down to the child. The node stays on the stack if it has another one.
        if (!fresh) {
            u32 child = 31 - __clz(bits & 15);
            bits &= ~(1u << child);
            if (is_kept) {
                if (bits & 15) stack[(kept - 1) * p.kept_size + 2].x = bits;
                else kept -= 1;
            } else if (bits & 15) {
                keep();
            }
            if (!knows_walks) walks = __ldg(p.walks + walk);
            u32 next = child == 0 ? walks.x : child == 1 ? walks.y : child == 2 ? walks.z : walks.w;
            u32 direction = next >> 30;
            u32 cell = step_cell(shared.steps[blank * 4 + direction]);
            u32 tile = TILE(cell);
#pragma unroll 1
            for (u32 s = 0; s < p.stages; s++) {
                u32 of = shared.part_of[s * 32 + tile];
                if (of == NONE) continue;
                u32 part = of & 15, known = of >> 4;
                u32 up = bits >> (8 + 4 * s + child) & 1;
                u64 one = 1ull << (8 * s);
                sums += up ? one : 0 - one;
                if (known == 15) {
                    u32 step = shared.steps[(s * 32 + blank) * 4 + direction];
                    SIGHT(part) = numbers.sight_after(shared.parts[part], SIGHT(part), step, up);
                }
            }
            TILE(blank) = tile;
            blank = cell;
            walk = next & low_bits(30);
            path |= (u64)direction << (2 * (depth & 31));
            depth += 1;
            if ((depth & 31) == 0) {
                words[depth / 32 - 1] = path;
                path = 0;
            }
            left -= 1;
        }
        __syncwarp();
        // 4. Its children: all of them in the first stage, those that are left in the others.
        fresh = false;
        is_kept = false;
        expanded += 1;
        walks = __ldg(p.walks + walk);
        knows_walks = true;
        u32 next[CHILDREN] = {walks.x, walks.y, walks.z, walks.w};
        u32 pending = 0;
#pragma unroll
        for (u32 c = 0; c < CHILDREN; c++) pending |= next[c] != END ? 1u << c : 0;
        generated += __popc(pending);
        bits = 0;
#pragma unroll 1
        for (u32 s = 0; s < p.stages; s++) {
            __syncwarp();
            u32 ups = 0;
            u32 before = (u32)(sums >> (8 * s)) & 0xff;
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
                u32 sum = before + 2 * up - 1;
                if (s == 0 && sum == 0 && sum < left) {
                    // 4a. The goal.
                    if (atomicCAS(&p.control->found, 0u, 1u) == 0) {
#pragma unroll 1
                        for (u32 j = 0; j < PATH_WORDS; j++) {
                            u64 last = path | (u64)(next[c] >> 30) << (2 * (depth & 31));
                            p.control->path[j] = j < depth / 32 ? words[j] : j == depth / 32 ? last : 0;
                        }
                        p.control->length = depth + 1;
                    }
                }
                if (sum >= left) pending &= ~(1u << c);
            }
            bits |= ups << (8 + 4 * s);
        }
        bits |= pending;
    }
    // What was begun and not ended counts, too.
    if (has_piece) count();
#undef TILE
#undef SIGHT
}

#define KERNEL(NEAR, THREADS, BLOCKS, NAME) \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) NAME(const Params p) { \
        search<NEAR, THREADS>(p); \
    }

KERNEL(false, TWO_BLOCKS, 2, search)
KERNEL(true, TWO_BLOCKS, 2, ranks)
KERNEL(true, ONE_BLOCK, 1, wide)
