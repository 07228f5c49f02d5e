// One round of the search on a card. mirror.rs is the same in Rust and says what is done and why; flat.rs and piece.rs
// describe the buffers. The two are tested against each other on a CPU: this file compiles as C++ as well.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifndef THREADS
#define THREADS 512
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

// As in flat.rs and piece.rs.
const u32 END = 0xffffffff;
const u32 NONE = 0xffff;
const u32 CHILDREN = 4;
const u32 MOST_PARTS = 16;
const u32 PATH_WORDS = 8;
const u32 PATH_AT = 4;
const u32 PLACE_AT = 12;
const u32 SUMS_AT = 14;
const u32 SIGHTS_AT = 15;
const u64 MANY = 1ull << 63;
// Words of 32 bits for the tiles of a board of up to 28 cells.
const u32 TILE_WORDS = 7;
const u32 STACK_FRAMES = 256;

struct Part {
    const u8 *bits;
    u64 row_bits;
    u32 lanes;
    // Where its words, its product and its places are.
    u32 turned;
    u32 turns;
    u32 product;
    u32 half;
    u32 base_bits;
    u32 upper;
    u32 lower;
    u32 entries;
    u32 many;
};

// What a round begins with and ends with.
struct Control {
    // Pieces taken, and pieces given back.
    u32 next;
    u32 out;
    // Raised by the host: 1 to give back what is left, 2 to leave it. Raised by a thread: a plan was found.
    u32 stop;
    u32 found;
    u64 expanded;
    u64 generated;
    // The plan.
    u32 length;
    // Where the pieces given back would have exceeded their room.
    u32 full;
    u64 path[PATH_WORDS];
};

struct Params {
    const Part *parts;
    const u32 *steps;
    const u16 *part_of;
    const u16 *turned;
    const u8 *products;
    const u32 *upper;
    const u16 *lower;
    const u64 *entries;
    const u32 *many;
    const uint4 *walks;
    const u64 *pieces;
    u64 *out;
    uint4 *frames;
    u32 *open;
    u64 *counts;
    Control *control;
    u32 part_count;
    u32 product_bytes;
    u32 upper_count;
    u32 lower_count;
    // Words of a piece, pieces on the stack, how many of them may be taken, and how many may be given back.
    u32 stride;
    u32 piece_count;
    u32 take;
    u32 capacity;
    // States after which a piece is given back, and after which it is when nothing is left to take.
    u32 most;
    u32 least;
};

// What the threads of a block share, and what each thread has.
template <int STAGES>
struct Shared {
    u32 steps[STAGES * 32 * 4];
    u16 part_of[STAGES * 32];
    Part parts[MOST_PARTS];
    u32 tiles[TILE_WORDS * THREADS];
    // Then the sights by part and thread, the products, and, if they fit, what numbers the maps.
};

static __device__ __forceinline__ u32 low_bits(u32 count) {
    return (1u << count) - 1;
}

static __device__ __forceinline__ u32 step_low(u32 step) { return step & 31; }
static __device__ __forceinline__ u32 step_high(u32 step) { return step >> 5 & 31; }
static __device__ __forceinline__ u32 step_back(u32 step) { return step >> 10 & 1; }
static __device__ __forceinline__ u32 step_cell(u32 step) { return step >> 16 & 31; }
static __device__ __forceinline__ u32 step_both(u32 step) {
    return 1u << step_low(step) | 1u << step_high(step);
}

// The code of the word after a step.
static __device__ __forceinline__ u32 code_after(
    const Params &p, const Part &part, const u8 *products, u64 sight, u32 step
) {
    u32 map = (u32)sight;
    u32 code = (u32)(sight >> 32) & 0xffff;
    u32 low = step_low(step);
    u32 passed = __popc(map & (low_bits(step_high(step)) ^ low_bits(low + 1)));
    // A tile that passes none keeps the word.
    if (passed > 0) {
        u32 turn = 16 * passed + 8 * step_back(step) + __popc(map & low_bits(low));
        u32 turned = __ldg(p.turned + part.turned + (code >> 6) * part.turns + turn);
        code = (turned & ~63u) | products[part.product + ((code & 63) << 6 | (turned & 63))];
    }
    return code;
}

template <bool RANKS>
static __device__ __forceinline__ u32 map_number(
    const Params &p, const Part &part, const u32 *upper, const u16 *lower, u32 map
) {
    if (RANKS) {
        return upper[part.upper + (map >> part.half)]
            + lower[part.lower + (map & low_bits(part.half))];
    }
    return __ldg(p.upper + part.upper + (map >> part.half))
        + __ldg(p.lower + part.lower + (map & low_bits(part.half)));
}

static __device__ __forceinline__ u64 place_of(
    const Params &p, const Part &part, u64 entry, u32 map, u32 step
) {
    u32 cell = step_back(step) ? step_high(step) : step_low(step);
    if (entry & MANY) {
        return __ldg(p.many + part.many + 32 * (u32)entry + cell);
    }
    u32 free_before = __popc(~map & low_bits(cell));
    u64 first = entry & ((1ull << part.base_bits) - 1);
    return first + (entry >> (part.base_bits + 2 * free_before) & 3);
}

static __device__ __forceinline__ u32 table_byte(const u8 *at) {
#if defined(__CUDA_ARCH__)
    u32 byte;
    asm("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=r"(byte) : "l"(at));
    return byte;
#else
    return *at;
#endif
}

// 1 if a distance goes up to one that has this bit.
static __device__ __forceinline__ u32 goes_up(u32 value, u32 bit) {
    return (value ^ value >> 1 ^ bit ^ 1) & 1;
}

template <int STAGES, bool RANKS>
static __device__ __forceinline__ void search(const Params &p) {
    const u32 me = threadIdx.x;
    const u64 thread = (u64)blockIdx.x * THREADS + me;
    // Frames of 16 bytes have room for two stages.
    const int FRAME = STAGES <= 2 ? 1 : 2;
    extern __shared__ u64 memory[];
    Shared<STAGES> &shared = *(Shared<STAGES> *)memory;
    u64 *sights = memory + (sizeof(Shared<STAGES>) + 7) / 8 + me;
    u8 *products = (u8 *)(memory + (sizeof(Shared<STAGES>) + 7) / 8 + p.part_count * THREADS);
    for (u32 i = me; i < STAGES * 32 * 4; i += THREADS) shared.steps[i] = p.steps[i];
    for (u32 i = me; i < STAGES * 32; i += THREADS) shared.part_of[i] = p.part_of[i];
    for (u32 i = me; i < p.part_count; i += THREADS) shared.parts[i] = p.parts[i];
    for (u32 i = me; i < p.product_bytes; i += THREADS) products[i] = p.products[i];
    u32 *upper = (u32 *)(products + p.product_bytes);
    u16 *lower = (u16 *)(upper + p.upper_count);
    if (RANKS) {
        for (u32 i = me; i < p.upper_count; i += THREADS) upper[i] = p.upper[i];
        for (u32 i = me; i < p.lower_count; i += THREADS) lower[i] = p.lower[i];
    }
    __syncthreads();
    uint4 *frames = p.frames + thread * STACK_FRAMES * FRAME;
    u8 *tiles = (u8 *)(shared.tiles + me);
#define TILE(cell) tiles[((cell) >> 2) * (4 * THREADS) + ((cell) & 3)]
#define SIGHT(part) sights[(part) * THREADS]

    u64 all_expanded = 0, all_generated = 0;
    // The piece: its number, subtree, and counts.
    const u64 *piece = 0;
    u32 subtree = 0, expanded = 0, generated = 0;
    // The node: how deep below the piece, the automaton, pending children with the bits of their distances.
    int level = -1;
    u32 walk = 0, bits = 0, blank = 0, left = 0;
    u32 sums[STAGES];
    bool fresh = false;
    u32 rounds = 0;
    // Few pieces have to be divided soon; with many, looking at what the others do costs more than it brings.
    const u32 pause = p.take < 4 * gridDim.x * THREADS ? 15 : 127;

    // Takes the last move back.
    auto undo = [&]() {
        level -= 1;
        left += 1;
        uint4 frame = frames[level * FRAME];
        uint4 more = FRAME > 1 ? frames[level * FRAME + 1] : frame;
        walk = frame.x;
        bits = frame.y;
        u32 olds[6] = {frame.z, frame.w, more.x, more.y, more.z, more.w};
        u32 direction = bits >> 4 & 3;
        u32 from = step_cell(shared.steps[blank * 4 + 3 - direction]);
        u32 tile = TILE(from);
        TILE(blank) = tile;
        blank = from;
#pragma unroll
        for (int s = 0; s < STAGES; s++) {
            u32 of = shared.part_of[s * 32 + tile];
            if (of == NONE) continue;
            u32 part = of & 15, known = of >> 4;
            u32 old = olds[s];
            if (known == 15) {
                u64 sight = SIGHT(part);
                u32 step = shared.steps[(s * 32 + from) * 4 + direction];
                u32 map = (u32)sight ^ step_both(step);
                sums[s] += (old >> 16) - (u32)(sight >> 48);
                SIGHT(part) = (u64)old << 32 | map;
            } else {
                // The old and the new distance, as the earlier stage had them.
                sums[s] -= (old & 1) * 2 - 1;
            }
        }
    };

    for (;;) {
        // 1. Back to a node with a child that is not done.
        while (level > 0 && !fresh && !(bits & 15)) undo();
        if (level == 0 && !fresh && !(bits & 15)) {
            atomicAdd(p.counts + 2 * subtree, (u64)expanded);
            atomicAdd(p.counts + 2 * subtree + 1, (u64)generated);
            atomicSub(p.open + subtree, 1u);
            all_expanded += expanded;
            all_generated += generated;
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
                u32 count = bits & 15 || fresh ? 1 : 0;
#pragma unroll 1
                for (int i = 0; i < level; i++) count += frames[i * FRAME].y & 15 ? 1 : 0;
                u32 first = atomicAdd(&p.control->out, count);
                if (first + count <= p.capacity) {
                    // The paths, from the piece down.
                    u64 path[PATH_WORDS];
#pragma unroll 1
                    for (u32 i = 0; i < PATH_WORDS; i++) path[i] = piece[PATH_AT + i];
                    u32 depth = (u32)(piece[PLACE_AT + 1] >> 48) & 0xff;
                    u32 at = first;
#pragma unroll 1
                    for (int i = 0; i <= level; i++) {
                        u32 frame = i < level ? frames[i * FRAME].y : bits;
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
                            out[PLACE_AT + 1] = (u64)subtree | (u64)blank << 32 | (u64)left << 40
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
                    atomicAdd(p.counts + 2 * subtree, (u64)expanded);
                    atomicAdd(p.counts + 2 * subtree + 1, (u64)generated);
                    atomicAdd(p.open + subtree, count - 1);
                    all_expanded += expanded;
                    all_generated += generated;
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
                subtree = (u32)place;
                blank = (u32)(place >> 32) & 0xff;
                left = (u32)(place >> 40) & 0xff;
                fresh = place >> 56;
                for (int s = 0; s < STAGES; s++) sums[s] = (u32)(piece[SUMS_AT] >> (8 * s)) & 0xff;
#pragma unroll 1
                for (u32 j = 0; j < p.part_count; j++) SIGHT(j) = piece[SIGHTS_AT + j];
                level = 0;
                expanded = 0;
                generated = 0;
                if (!fresh && !(bits & 15)) continue;
            }
        }
        // 3. Down to the child.
        if (!fresh) {
            u32 child = 31 - __clz(bits & 15);
            uint4 walks = __ldg(p.walks + walk);
            u32 next = child == 0 ? walks.x : child == 1 ? walks.y : child == 2 ? walks.z : walks.w;
            u32 direction = next >> 30;
            bits = (bits & ~(1u << child) & ~(3u << 4)) | direction << 4;
            u32 cell = step_cell(shared.steps[blank * 4 + direction]);
            u32 tile = TILE(cell);
            u32 olds[6];
#pragma unroll
            for (int s = 0; s < STAGES; s++) {
                olds[s] = 0;
                u32 of = shared.part_of[s * 32 + tile];
                if (of == NONE) continue;
                u32 part = of & 15, known = of >> 4;
                u32 up = bits >> (8 + 4 * s + child) & 1;
                sums[s] += 2 * up - 1;
                if (known == 15) {
                    u64 sight = SIGHT(part);
                    u32 step = shared.steps[(s * 32 + blank) * 4 + direction];
                    u32 code = code_after(p, shared.parts[part], products, sight, step);
                    u64 value = (sight >> 48) + 2 * up - 1;
                    olds[s] = (u32)(sight >> 32);
                    SIGHT(part) = value << 48 | (u64)code << 32 | ((u32)sight ^ step_both(step));
                } else {
                    olds[s] = up;
                }
            }
            frames[level * FRAME] = make_uint4(walk, bits, olds[0], STAGES > 1 ? olds[1] : 0);
            if (FRAME > 1) {
                frames[level * FRAME + 1] = make_uint4(
                    STAGES > 2 ? olds[2] : 0, STAGES > 3 ? olds[3] : 0,
                    STAGES > 4 ? olds[4] : 0, STAGES > 5 ? olds[5] : 0
                );
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
        uint4 walks = __ldg(p.walks + walk);
        u32 next[CHILDREN] = {walks.x, walks.y, walks.z, walks.w};
        u32 pending = 0;
#pragma unroll
        for (u32 c = 0; c < CHILDREN; c++) pending |= next[c] != END ? 1u << c : 0;
        generated += __popc(pending);
        bits = 0;
#pragma unroll
        for (int s = 0; s < STAGES; s++) {
            u32 ups = 0;
            u32 maps[CHILDREN], steps[CHILDREN], parts[CHILDREN];
            u64 rows[CHILDREN];
            u64 entries[CHILDREN];
            u32 asked = 0;
#pragma unroll
            for (u32 c = 0; c < CHILDREN; c++) {
                parts[c] = NONE;
                if (!(pending >> c & 1)) continue;
                u32 direction = next[c] >> 30;
                u32 step = shared.steps[(s * 32 + blank) * 4 + direction];
                u32 tile = TILE(step_cell(step));
                u32 of = shared.part_of[s * 32 + tile];
                if (of == NONE) continue;
                parts[c] = of & 15;
                u32 known = of >> 4;
                if (known != 15) {
                    ups |= (bits >> (8 + 4 * known + c) & 1) << c;
                    continue;
                }
                asked |= 1u << c;
                const Part &part = shared.parts[of & 15];
                u64 sight = SIGHT(of & 15);
                u32 code = code_after(p, part, products, sight, step);
                u32 map = (u32)sight ^ step_both(step);
                steps[c] = step;
                maps[c] = map;
                rows[c] = (u64)((code >> 6) * part.lanes + (code & 63)) * part.row_bits;
                entries[c] = __ldg(p.entries + part.entries + map_number<RANKS>(p, part, upper, lower, map));
            }
            u32 bytes[CHILDREN];
#pragma unroll
            for (u32 c = 0; c < CHILDREN; c++) {
                if (!(asked >> c & 1)) continue;
                const Part &part = shared.parts[parts[c]];
                rows[c] += place_of(p, part, entries[c], maps[c], steps[c]);
                bytes[c] = table_byte(part.bits + (rows[c] >> 3));
            }
#pragma unroll
            for (u32 c = 0; c < CHILDREN; c++) {
                if (asked >> c & 1) {
                    u32 value = (u32)(SIGHT(parts[c]) >> 48);
                    ups |= goes_up(value, bytes[c] >> (rows[c] & 7)) << c;
                }
                if (parts[c] == NONE) continue;
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
                            u64 direction = i < level ? frames[i * FRAME].y >> 4 & 3 : next[c] >> 30;
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
    if (level >= 0) {
        atomicAdd(p.counts + 2 * subtree, (u64)expanded);
        atomicAdd(p.counts + 2 * subtree + 1, (u64)generated);
        all_expanded += expanded;
        all_generated += generated;
    }
    atomicAdd(&p.control->expanded, all_expanded);
    atomicAdd(&p.control->generated, all_generated);
#undef TILE
#undef SIGHT
}

#define KERNEL(STAGES, RANKS, NAME) \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) NAME(const Params p) { \
        search<STAGES, RANKS>(p); \
    }

KERNEL(1, false, search1)
KERNEL(2, false, search2)
KERNEL(3, false, search3)
KERNEL(4, false, search4)
KERNEL(6, false, search6)
KERNEL(1, true, ranks1)
KERNEL(2, true, ranks2)
