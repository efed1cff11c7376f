#include "moment.hpp"

#include <chrono>
#include <cstdio>
#include <optional>

#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

using namespace std::chrono;

struct Moment {
    microseconds time{};              // since 1970, by the clock of the place
    std::optional<minutes> offset{};  // by which that clock is ahead of UTC
};

/// Reads a text from left to right; what does not fit makes it fail for good.
class Reader {
  public:
    explicit Reader(std::u32string_view text) : rest_(text) {}

    bool is_at_end() const { return rest_.empty(); }
    bool has_failed() const { return failed_; }
    char32_t next() const { return rest_.empty() ? U'\0' : rest_.front(); }
    bool take(char32_t character) {
        if (next() != character) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(bool holds) { failed_ = failed_ || !holds; }
    /// A number of so many digits, from `low` to `high`.
    int number(std::size_t digits, int low, int high) {
        const auto found = number_of(rest_.substr(0, digits), digits);
        expect(found && rest_.size() >= digits && *found >= low && *found <= high);
        rest_.remove_prefix(std::min(digits, rest_.size()));
        return failed_ ? low : *found;
    }
    /// The digits after a point, of which six count.
    int fraction() {
        int result = 0;
        expect(is_digit(next()));
        for (int place = 100'000; is_digit(next()); rest_.remove_prefix(1), place /= 10)
            result += static_cast<int>(next() - U'0') * place;
        return result;
    }

  private:
    std::u32string_view rest_;
    bool failed_ = false;
};

std::optional<Moment> read(std::u32string_view given) {
    Reader reader(given);
    const year in_year(reader.number(4, 1, 9999));
    reader.expect(reader.take(U'-'));
    const month in_month(static_cast<unsigned>(reader.number(2, 1, 12)));
    reader.expect(reader.take(U'-'));
    const year_month_day date(in_year, in_month, day(static_cast<unsigned>(reader.number(2, 1, 31))));
    reader.expect(date.ok());
    Moment moment{.time = sys_days(date).time_since_epoch()};
    if (reader.take(U'T') || reader.take(U't') || reader.take(U' ')) {
        moment.time += hours(reader.number(2, 0, 23));
        reader.expect(reader.take(U':'));
        moment.time += minutes(reader.number(2, 0, 59));
        if (reader.take(U':')) {
            moment.time += seconds(reader.number(2, 0, 59));
            if (reader.take(U'.')) moment.time += microseconds(reader.fraction());
        }
        if (reader.take(U'Z')) {
            moment.offset = minutes(0);
        } else if (reader.next() == U'+' || reader.next() == U'-') {
            const int sign = reader.take(U'+') ? 1 : -1;
            if (sign < 0) reader.take(U'-');
            moment.offset = hours(reader.number(2, 0, 23));
            reader.take(U':');
            if (!reader.is_at_end()) *moment.offset += minutes(reader.number(2, 0, 59));
            *moment.offset *= sign;
        }
    }
    reader.expect(reader.is_at_end());
    return reader.has_failed() ? std::nullopt : std::optional(moment);
}

}  // namespace

Microseconds moment_from(std::u32string_view given) {
    const auto moment = read(given);
    if (!moment) throw InvalidNotationError("error.not_time", {{"text", quoted(given)}});
    if (!moment->offset) throw OptionError("error.time_zone", {{"text", quoted(given)}});
    const Microseconds time(moment->time - *moment->offset);
    if (time < sys_days(year(1) / 1 / 1) || time >= sys_days(year(10'000) / 1 / 1))
        throw OptionError("error.time_range", {{"text", quoted(given)}});
    return time;
}

std::string utc_text(Microseconds time) {
    const auto midnight = floor<days>(time);
    const year_month_day date(midnight);
    const hh_mm_ss clock(time - midnight);
    char result[48];
    std::snprintf(result, sizeof result, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()));
    return result;
}

std::string utc_moment(std::u32string_view given) {
    const Microseconds time = moment_from(given);
    char fraction[16] = "";
    if (const auto rest = (time - floor<seconds>(time)).count(); rest != 0)
        std::snprintf(fraction, sizeof fraction, ".%06d", static_cast<int>(rest));
    return utc_text(time) + fraction + "Z";
}

}  // namespace fourcast::study
