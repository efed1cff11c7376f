#include "processor.hpp"

#if defined(__x86_64__)

#include <cpuid.h>

namespace fourcast {
namespace {

/// The registers that the system saves for every thread, by their numbers in XCR0.
unsigned saved_registers() {
    unsigned low = 0;
    unsigned high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

bool has_all(unsigned bits, unsigned wanted) { return (bits & wanted) == wanted; }

// By the features that matter: no processor has these and lacks the rest of its level.
Processor find_features() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || !has_all(c, bit_OSXSAVE)) return {};
    const unsigned saved = saved_registers();
    Processor found{};
    found.avx = has_all(c, bit_AVX) && has_all(saved, 0x06);
    const bool fma = has_all(c, bit_FMA);
    if (!found.avx || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return found;
    found.x86_64_v3 = fma && has_all(b, bit_AVX2 | bit_BMI2);
    found.avx512 = found.x86_64_v3 && has_all(saved, 0xE6) && has_all(b, bit_AVX512F | bit_AVX512DQ);
    found.x86_64_v4 = found.avx512 && has_all(b, bit_AVX512VL | bit_AVX512BW | bit_AVX512CD) &&
                      has_all(c, bit_AVX512VPOPCNTDQ);
    return found;
}

}  // namespace

const Processor processor = find_features();

}  // namespace fourcast

#endif
