// Runs the kernels on a CPU, with one thread, on buffers in a file that tests.rs writes: a search, or a beam search of a
// width. Prints the states expanded and generated, and the moves of the plan, if one was found.

#include <cstdio>
#include <vector>

#define ONE_BLOCK 1
#define TWO_BLOCKS 1
#define BEAM_THREADS 1
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint4 {
    unsigned x, y, z, w;
};
static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static struct {
    unsigned x;
} threadIdx, blockIdx, gridDim = {1};
static void __syncthreads() {}
static void __syncwarp() {}
static unsigned __popc(unsigned x) { return __builtin_popcount(x); }
static unsigned __clz(unsigned x) { return __builtin_clz(x); }
template <typename T> static T __ldg(const T *at) { return *at; }
template <typename T> static T atomicAdd(T *at, T more) {
    T old = *at;
    *at += more;
    return old;
}
template <typename T> static T atomicSub(T *at, T less) { return atomicAdd(at, (T)-less); }
template <typename T> static T atomicMin(T *at, T other) {
    T old = *at;
    if (other < old) *at = other;
    return old;
}
template <typename T> static T atomicCAS(T *at, T expected, T value) {
    T old = *at;
    if (old == expected) *at = value;
    return old;
}

template <typename T> static T atomicExch(T *at, T value) {
    T old = *at;
    *at = value;
    return old;
}

#include "beam.cu"
#include "search.cu"

unsigned long long memory[1 << 16];

template <typename T> static std::vector<T> read(FILE *file) {
    u64 bytes;
    if (fread(&bytes, 8, 1, file) != 1) throw 1;
    std::vector<T> all(bytes / sizeof(T));
    if (fread(all.data(), 1, bytes, file) != bytes) throw 2;
    return all;
}

// As `search` in card_beam.rs, and `cut` in beam.rs.
static void beam(const Params &p, u32 stages, std::vector<u64> &root, u64 width) {
    std::vector<u64> nodes(width * p.stride), next(nodes);
    std::copy(root.begin(), root.end(), nodes.begin());
    std::vector<Child> children(3 * width + 1);
    std::vector<u32> seen(1 << 16);
    std::vector<Layer> layer(1);
    u64 expanded = 0, generated = 0;
    Beam b = {};
    b.children = children.data();
    b.seen = seen.data();
    b.layer = layer.data();
    b.stages = stages;
    b.node_count = 1;
    b.capacity = children.size();
    b.shift = 64 - 16;
    while (b.node_count > 0) {
        b.nodes = nodes.data();
        b.next = next.data();
        layer[0] = {};
        beam_children(p, b);
        expanded += b.node_count;
        generated += layer[0].children;
        if (layer[0].found) break;
        u64 room = width;
        b.cut = 0;
        while (b.cut < SCORES && layer[0].scores[b.cut] <= room) room -= layer[0].scores[b.cut++];
        b.room = b.cut < SCORES ? room : 0;
        beam_next(p, b);
        b.node_count = layer[0].kept;
        nodes.swap(next);
    }
    printf("%llu %llu", expanded, generated);
    for (u32 i = 0; i < layer[0].length; i++) printf(" %d", (int)(layer[0].path[i / 32] >> (2 * (i % 32)) & 3));
}

int main(int, char **arguments) {
    FILE *file = fopen(arguments[1], "rb");
    auto numbers = read<u64>(file);
    u32 stages = numbers[0], tables = numbers[1], subtrees = numbers[2];
    auto parts = read<Part>(file);
    auto steps = read<u32>(file);
    auto part_of = read<u16>(file);
    auto turned = read<u16>(file);
    auto products = read<u8>(file);
    auto upper = read<u32>(file);
    auto lower = read<u16>(file);
    auto entries = read<u64>(file);
    auto many = read<u32>(file);
    auto walks = read<uint4>(file);
    auto pieces = read<u64>(file);
    std::vector<std::vector<u8>> bits;
    for (u32 i = 0; i < tables; i++) bits.push_back(read<u8>(file));
    for (Part &part : parts) part.bits = bits[(u64)part.bits].data();
    std::vector<u32> open(subtrees);
    std::vector<u64> counts(2 * subtrees);
    u32 kept_size = 4 + parts.size() / 2;
    std::vector<uint4> stack(MOST_KEPT * kept_size);
    Control control = {};
    Params p = {};
    p.parts = parts.data();
    p.steps = steps.data();
    p.part_of = part_of.data();
    p.turned = turned.data();
    p.products = products.data();
    p.upper = upper.data();
    p.lower = lower.data();
    p.entries = entries.data();
    p.many = many.data();
    p.walks = walks.data();
    p.stack = stack.data();
    p.kept_size = kept_size;
    p.stages = stages;
    p.open = open.data();
    p.counts = counts.data();
    p.control = &control;
    p.part_count = parts.size();
    p.product_bytes = products.size();
    p.upper_count = upper.size();
    p.lower_count = lower.size();
    p.stride = (SIGHTS_AT + p.part_count + 1) / 2 * 2;
    if (numbers[7] > 0) {
        beam(p, stages, pieces, numbers[7]);
        return 0;
    }
    p.most = numbers[3];
    p.least = numbers[4];
    p.capacity = numbers[5];
    for (u64 i = 0; i < pieces.size(); i += p.stride) open[(u32)pieces[i + PLACE_AT + 1]] += 1;
    while (!pieces.empty() && !control.found) {
        control.next = control.out = 0;
        control.full = ~0u;
        std::vector<u64> out((u64)p.capacity * p.stride);
        p.out = out.data();
        p.pieces = pieces.data();
        p.piece_count = pieces.size() / p.stride;
        p.take = numbers[6] < p.piece_count ? numbers[6] : p.piece_count;
        u32 kernel = numbers[3] % 3;
        kernel == 0 ? search(p) : kernel == 1 ? ranks(p) : wide(p);
        u32 taken = control.next < p.take ? control.next : p.take;
        u32 given = control.out <= p.capacity ? control.out : control.full;
        pieces.resize((u64)(p.piece_count - taken) * p.stride);
        pieces.insert(pieces.end(), out.begin(), out.begin() + (u64)given * p.stride);
    }
    u64 sums[2] = {}, left = 0;
    for (u32 i = 0; i < 2 * subtrees; i++) sums[i % 2] += counts[i];
    for (u32 i = 0; i < subtrees; i++) left += open[i];
    bool adds_up = sums[0] == control.expanded && sums[1] == control.generated;
    if (!adds_up || (left > 0 && !control.found)) return 1;
    printf("%llu %llu", control.expanded, control.generated);
    for (u32 i = 0; i < control.length; i++) {
        printf(" %d", (int)(control.path[i / 32] >> (2 * (i % 32)) & 3));
    }
}
