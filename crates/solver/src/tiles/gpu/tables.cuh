// What search.cu and beam.cu share: the buffers, and a look-up. flat.rs and piece.rs describe the buffers.

#ifndef TABLES
#define TABLES

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// As in flat.rs and piece.rs.
const u32 END = 0xffffffff;
const u32 NONE = 0xffff;
const u32 CHILDREN = 4;
const u32 MOST_PARTS = 16;
const u32 MOST_STAGES = 6;
const u32 PATH_WORDS = 8;
const u32 PATH_AT = 4;
const u32 PLACE_AT = 12;
const u32 SUMS_AT = 14;
const u32 SIGHTS_AT = 15;
const u64 MANY = 1ull << 63;

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
    uint4 *stack;
    u32 *open;
    u64 *counts;
    Control *control;
    u32 part_count;
    u32 product_bytes;
    u32 upper_count;
    u32 lower_count;
    // Words of 128 bits of a node on the stack.
    u32 kept_size;
    u32 stages;
    // Words of a piece, pieces on the stack, how many of them may be taken, and how many may be given back.
    u32 stride;
    u32 piece_count;
    u32 take;
    u32 capacity;
    // States after which a piece is given back, and after which it is when nothing is left to take.
    u32 most;
    u32 least;
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

// What numbers maps and turns words. What numbers maps may be near, in the memory that a block shares.
template <bool NEAR>
struct Numbers {
    const u8 *products;
    const u32 *upper;
    const u16 *lower;
    const u16 *turned;

    // The code of the word after a step.
    __device__ __forceinline__ u32 code_after(const Part &part, u64 sight, u32 step) const {
        u32 map = (u32)sight;
        u32 code = (u32)(sight >> 32) & 0xffff;
        u32 low = step_low(step);
        u32 passed = __popc(map & (low_bits(step_high(step)) ^ low_bits(low + 1)));
        // A tile that passes none keeps the word.
        if (passed > 0) {
            u32 turn = 16 * (passed - 1) + 8 * step_back(step) + __popc(map & low_bits(low));
            const u16 *at = turned + part.turned + (code >> 6) * part.turns + turn;
            u32 to = __ldg(at);
            code = (to & ~63u) | products[part.product + ((code & 63) << 6 | (to & 63))];
        }
        return code;
    }

    // What a part knows after a step that raises its distance (1) or lowers it (0).
    __device__ __forceinline__ u64 sight_after(const Part &part, u64 sight, u32 step, u32 up) const {
        u64 value = (sight >> 48) + 2 * up - 1;
        u32 code = code_after(part, sight, step);
        return value << 48 | (u64)code << 32 | ((u32)sight ^ step_both(step));
    }

    __device__ __forceinline__ u32 map_number(const Part &part, u32 map) const {
        const u32 *high = upper + part.upper + (map >> part.half);
        const u16 *low = lower + part.lower + (map & low_bits(part.half));
        return NEAR ? *high + *low : __ldg(high) + __ldg(low);
    }
};

// A look-up: its row (16 bits), free cells before the blank (5), the blank's cell (5).
static __device__ __forceinline__ u32 ask_of(const Part &part, u32 code, u32 map, u32 step) {
    u32 cell = step_back(step) ? step_high(step) : step_low(step);
    u32 row = (code >> 6) * part.lanes + (code & 63);
    return row | (u32)__popc(~map & low_bits(cell)) << 16 | cell << 21;
}

// Where in its row the bit of a look-up is.
static __device__ __forceinline__ u64 place_of(const Params &p, const Part &part, u64 entry, u32 ask) {
    if (entry & MANY) return __ldg(p.many + part.many + 32 * (u32)entry + (ask >> 21 & 31));
    u64 first = entry & ((1ull << part.base_bits) - 1);
    return first + (entry >> (part.base_bits + 2 * (ask >> 16 & 31)) & 3);
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

// The same for one look-up: whether a step raises the distance of a part.
template <bool NEAR>
static __device__ __forceinline__ u32 goes_up(
    u64 sight, const Part &part, const Numbers<NEAR> &numbers, const Params &p, u32 step
) {
    u32 code = numbers.code_after(part, sight, step);
    u32 map = (u32)sight ^ step_both(step);
    u64 entry = __ldg(p.entries + part.entries + numbers.map_number(part, map));
    u32 ask = ask_of(part, code, map, step);
    u64 bit = (ask & 0xffff) * part.row_bits + place_of(p, part, entry, ask);
    return goes_up((u32)(sight >> 48), table_byte(part.bits + (bit >> 3)) >> (bit & 7));
}

#endif
