// What the processor offers. The compilers' own question, __builtin_cpu_supports, has no answer in zig's
// library.
#pragma once

#if defined(__x86_64__)

namespace fourcast {

/// Features that the processor has and the system has switched on.
struct Processor {
    bool avx;
    bool x86_64_v3;
    bool avx512;     // AVX512F and AVX512DQ
    bool x86_64_v4;  // with AVX512VPOPCNTDQ, which the level does not name
};

extern const Processor processor;

}  // namespace fourcast

#endif
