// Runs the C++ tests; with an argument, those whose name contains it.
#include <chrono>
#include <cstring>
#include <exception>

#include "testing.hpp"

int main(int argument_count, char** arguments) {
    using namespace fourcast::testing;
    using Clock = std::chrono::steady_clock;
    const char* const wanted = argument_count > 1 ? arguments[1] : "";
    const auto start = Clock::now();
    int run = 0;
    int failed = 0;
    for (const Test& test : all_tests()) {
        if (test.name.find(wanted) == std::string::npos) continue;
        failures_before = failures;
        try {
            test.body();
        } catch (const std::exception& error) {
            fail("uncaught", 0) << error.what() << "\n";
        }
        ++run;
        if (failures != failures_before) {
            ++failed;
            std::cerr << "FAILED: " << test.name << "\n";
        }
    }
    const std::chrono::duration<double> seconds = Clock::now() - start;
    std::cout << "C++ tests: " << run - failed << " passed, " << failed << " failed in "
              << seconds.count() << " s\n";
    return failed == 0 && run > 0 ? 0 : 1;
}
