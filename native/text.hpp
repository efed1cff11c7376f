// Small helpers for messages.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "shape.hpp"

namespace fourcast {

/// The parts one after the other, as a stream prints them.
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return stream.str();
}

/// A 128-bit number in decimal, which no stream prints.
inline std::string decimal(u128 number) {
    std::string digits;
    do {
        digits.push_back(static_cast<char>('0' + static_cast<int>(number % 10)));
        number /= 10;
    } while (number != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace fourcast
