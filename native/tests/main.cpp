// Runs the C++ tests; with --slow the slow ones instead; with a word, those whose name contains it.
#include <chrono>
#include <cstring>
#include <exception>

#include "testing.hpp"

int main(int argument_count, char** arguments) {
    using namespace fourcast::testing;
    using Clock = std::chrono::steady_clock;
    const bool slow = argument_count > 1 && std::strcmp(arguments[1], "--slow") == 0;
    const int word = slow ? 2 : 1;
    const char* const wanted = argument_count > word ? arguments[word] : "";
    const auto start = Clock::now();
    int run = 0;
    int failed = 0;
    for (const Test& test : all_tests()) {
        if (test.slow != slow || test.name.find(wanted) == std::string::npos) continue;
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
