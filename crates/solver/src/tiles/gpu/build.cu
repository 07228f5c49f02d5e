// Builds the bits of a table on a card, level by level; pdb/build.rs says how and why. A block of threads gathers the words
// of one block of the table, each thread those of some groups.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// The permutation of lanes g <- g*g': a rotation, then three additions.
struct Lanes {
    u64 by;
    u64 width;
    u64 all;
    u64 reserved;
    // Lanes that stay, that come from above, that wrap around, and by how much.
    u64 steps[3][4];
};

static __device__ __forceinline__ u64 permuted(const Lanes &lanes, u64 set) {
    set = (set >> lanes.by | set << (lanes.width - lanes.by)) & lanes.all;
#pragma unroll
    for (int bit = 0; bit < 3; bit++) {
        const u64 *step = lanes.steps[bit];
        set = (set & step[0]) | (set & step[1]) >> (1 << bit) | (set & step[2]) << step[3];
    }
    return set;
}

// One level for the blocks of one colour, from the first one on.
extern "C" __global__ void gather(
    const u32 *starts, const u32 *edges, const u8 *turns, const u16 *turned, const Lanes *lanes,
    u64 *reached, u64 *second, u32 *levels, u32 *counts, u32 groups, u32 words, u32 level, u32 first
) {
    __shared__ Lanes shared[64];
    const u32 block = first + blockIdx.x;
    if (counts[block] == words) return;
    const u32 begin = starts[block], end = starts[block + 1];
    u32 touched = 0;
    for (u32 e = begin; e < end; e++) touched |= levels[edges[e]] == level - 1;
    if (!touched) return;
    for (u32 i = threadIdx.x; i < 64 * sizeof(Lanes) / 8; i += blockDim.x) {
        ((u64 *)shared)[i] = ((const u64 *)lanes)[i];
    }
    // From here on, all threads have read the count, and one may change it.
    __syncthreads();
    u32 found = 0;
    for (u32 group = threadIdx.x; group < groups; group += blockDim.x) {
        u64 gathered = 0;
        for (u32 e = begin; e < end; e++) {
            u32 from = edges[e];
            if (levels[from] != level - 1) continue;
            u32 to = turned[turns[e] * groups + group];
            gathered |= permuted(shared[to & 63], reached[(u64)from * groups + (to >> 6)]);
        }
        u64 at = (u64)block * groups + group;
        u64 old = reached[at];
        gathered &= ~old;
        if (!gathered) continue;
        reached[at] = old | gathered;
        if (level & 2) second[at] |= gathered;
        found += __popcll(gathered);
    }
    if (found) {
        levels[block] = level;
        atomicAdd(counts + block, found);
    }
}

// Transposes sets of words by block into rows of blocks by word: 64 blocks of one group.
extern "C" __global__ void __launch_bounds__(128) rows(
    const u32 *order, const u64 *sets, u8 *rows, u32 blocks, u32 groups, u32 lanes, u64 row_bytes
) {
    u32 group = blockIdx.y * blockDim.x + threadIdx.x;
    u32 column = blockIdx.x;
    if (group >= groups) return;
    u64 square[64];
#pragma unroll
    for (u32 i = 0; i < 64; i++) {
        u32 at = column * 64 + i;
        square[i] = at < blocks ? sets[(u64)order[at] * groups + group] : 0;
    }
    u64 mask = 0xffffffff;
#pragma unroll
    for (u32 width = 32; width > 0; width /= 2) {
#pragma unroll
        for (u32 i = 0; i < 64; i++) {
            if (i & width) continue;
            u64 swapped = (square[i] >> width ^ square[i + width]) & mask;
            square[i] ^= swapped << width;
            square[i + width] ^= swapped;
        }
        mask ^= mask << (width / 2);
    }
    u64 left = row_bytes - 8 * (u64)column;
#pragma unroll
    for (u32 lane = 0; lane < 64; lane++) {
        if (lane >= lanes) continue;
        u8 *row = rows + (u64)(group * lanes + lane) * row_bytes + 8 * (u64)column;
#pragma unroll
        for (u32 i = 0; i < 8; i++) {
            if (i < left) row[i] = (u8)(square[lane] >> (8 * i));
        }
    }
}
