// Moments as ISO 8601 writes them.
#pragma once

#include <string>
#include <string_view>

namespace fourcast::study {

/// A moment such as 2024-05-31T20:30:00+02:00, in UTC: 2024-05-31T18:30:00Z, with six digits after the
/// seconds if they are not zero. Throws InvalidNotationError if it is none, and OptionError if it has no
/// time zone or is in no year from 1 to 9999.
std::string utc_moment(std::u32string_view given);

}  // namespace fourcast::study
