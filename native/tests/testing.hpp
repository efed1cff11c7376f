// A test harness of one page: TEST makes a test, CHECK and its kin report and go on.
#pragma once

#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "system/text.hpp"

namespace fourcast::testing {

struct Test {
    std::string name;
    std::function<void()> body;
    bool slow = false;
};

inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

inline int failures = 0;
/// Failures at the start of the test that is running.
inline int failures_before = 0;
/// A loop that fails once fails often: no more reports of a test than this.
inline constexpr int reports_wanted = 10;

inline bool add(std::string name, std::function<void()> body, bool slow = false) {
    all_tests().push_back({std::move(name), std::move(body), slow});
    return true;
}

inline std::ostream& fail(const char* file, int line) {
    static std::ostream nowhere(nullptr);
    if (++failures > failures_before + reports_wanted) return nowhere;
    return std::cerr << "    " << file << ":" << line << ": ";
}

template <class Value>
std::string show(const Value& value) {
    if constexpr (std::is_same_v<Value, u128>) {
        return decimal(value);
    } else if constexpr (requires(std::ostream& out) { out << value; }) {
        return text(value);
    } else {
        return "(a value that cannot be printed)";
    }
}

}  // namespace fourcast::testing

#define FOURCAST_JOIN_(a, b) a##b
#define FOURCAST_JOIN(a, b) FOURCAST_JOIN_(a, b)

#define FOURCAST_TEST(name, slow)                                                \
    static void FOURCAST_JOIN(test_body_, __LINE__)();                           \
    [[maybe_unused]] static const bool FOURCAST_JOIN(test_added_, __LINE__) =    \
        fourcast::testing::add(name, FOURCAST_JOIN(test_body_, __LINE__), slow); \
    static void FOURCAST_JOIN(test_body_, __LINE__)()

/// TEST("a sentence about behavior") { ... }
#define TEST(name) FOURCAST_TEST(name, false)
/// One that takes more than some seconds: run with --slow only.
#define SLOW_TEST(name) FOURCAST_TEST(name, true)

#define CHECK(condition)                                                                              \
    do {                                                                                              \
        if (!(condition)) fourcast::testing::fail(__FILE__, __LINE__) << #condition << " is false\n"; \
    } while (false)

#define CHECK_EQUAL(actual, expected)                                                     \
    do {                                                                                  \
        const auto actual_value = (actual);                                               \
        const decltype(actual_value) expected_value = (expected);                         \
        if (!(actual_value == expected_value)) {                                          \
            fourcast::testing::fail(__FILE__, __LINE__)                                   \
                << #actual << " is " << fourcast::testing::show(actual_value) << ", not " \
                << fourcast::testing::show(expected_value) << "\n";                       \
        }                                                                                 \
    } while (false)

/// The expression throws `Error`, and its message contains `part`.
#define CHECK_THROWS(expression, Error, part)                                                     \
    do {                                                                                          \
        try {                                                                                     \
            static_cast<void>(expression);                                                        \
            fourcast::testing::fail(__FILE__, __LINE__) << #expression << " did not throw\n";     \
        } catch (const Error& error) {                                                            \
            if (std::string(error.what()).find(part) == std::string::npos) {                      \
                fourcast::testing::fail(__FILE__, __LINE__)                                       \
                    << #expression << " says \"" << error.what() << "\", nothing of \"" << (part) \
                    << "\"\n";                                                                    \
            }                                                                                     \
        }                                                                                         \
    } while (false)

/// The expression throws `Type`, an error of the core with this code and these facts, an object.
#define CHECK_REFUSED(expression, Type, wanted_code, wanted_facts)                                     \
    do {                                                                                               \
        try {                                                                                          \
            static_cast<void>(expression);                                                             \
            fourcast::testing::fail(__FILE__, __LINE__) << #expression << " did not throw\n";          \
        } catch (const Type& error) {                                                                  \
            CHECK_EQUAL(error.said().json(),                                                           \
                        fourcast::object({{"pattern", wanted_code}, {"facts", wanted_facts}}).json()); \
        }                                                                                              \
    } while (false)
