# The tag of C++ exceptions, which the toolchain's own libraries do not define.
        .tagtype __cpp_exception i32
        .globl __cpp_exception
__cpp_exception:
