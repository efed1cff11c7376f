// Run by CMake: which kernel does this processor run? The exit code is the N of x86-64-vN.
#include "system/processor.cpp"

int main() { return fourcast::processor.x86_64_v4 ? 4 : fourcast::processor.x86_64_v3 ? 3 : 2; }
