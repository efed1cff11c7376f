// Moments as ISO 8601 writes them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace fourcast::study {

using Microseconds = std::chrono::sys_time<std::chrono::microseconds>;

/// Reads a moment such as 2024-05-31T20:30:00+02:00. Throws InvalidNotationError if it is none, and
/// OptionError if it has no time zone or is in no year from 1 to 9999.
Microseconds moment_from(std::u32string_view given);

/// Its date and time in UTC, to the second: 2024-05-31T18:30:00.
std::string utc_text(Microseconds time);

/// The moment that `moment_from` reads, in UTC: 2024-05-31T18:30:00Z, with six digits after the seconds
/// if they are not zero.
std::string utc_moment(std::u32string_view given);

}  // namespace fourcast::study
