#include "moment.hpp"

#include <cstdio>
#include <optional>

#include "system/errors.hpp"
#include "system/reading.hpp"
#include "system/text.hpp"

namespace fourcast::study {
namespace {

constexpr long long day_s = 86'400;

constexpr bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

constexpr int days_in(int month, int year) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

/// Days from the beginning of the year 1 to that of `year`.
constexpr long long days_before(int year) {
    const long long past = year - 1;
    return past * 365 + past / 4 - past / 100 + past / 400;
}

struct Moment {
    long long seconds;  // since the beginning of the year 1, by the clock of the place
    int microseconds;
    std::optional<long long> offset_s;  // by which that clock is ahead of UTC
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
    Moment moment{};
    const int year = reader.number(4, 1, 9999);
    reader.expect(reader.take(U'-'));
    const int month = reader.number(2, 1, 12);
    reader.expect(reader.take(U'-'));
    const int day = reader.number(2, 1, days_in(month, year));
    long long days = days_before(year) + day - 1;
    for (int each = 1; each < month; ++each) days += days_in(each, year);
    moment.seconds = days * day_s;
    if (reader.take(U'T') || reader.take(U't') || reader.take(U' ')) {
        moment.seconds += reader.number(2, 0, 23) * 3600;
        reader.expect(reader.take(U':'));
        moment.seconds += reader.number(2, 0, 59) * 60;
        if (reader.take(U':')) {
            moment.seconds += reader.number(2, 0, 59);
            if (reader.take(U'.')) moment.microseconds = reader.fraction();
        }
        if (reader.take(U'Z')) {
            moment.offset_s = 0;
        } else if (reader.next() == U'+' || reader.next() == U'-') {
            const int sign = reader.take(U'+') ? 1 : -1;
            if (sign < 0) reader.take(U'-');
            moment.offset_s = reader.number(2, 0, 23) * 3600;
            reader.take(U':');
            if (!reader.is_at_end()) *moment.offset_s += reader.number(2, 0, 59) * 60;
            *moment.offset_s *= sign;
        }
    }
    reader.expect(reader.is_at_end());
    return reader.has_failed() ? std::nullopt : std::optional(moment);
}

}  // namespace

std::string utc_moment(std::u32string_view given) {
    const auto moment = read(given);
    if (!moment) throw InvalidNotationError("error.not_time", {{"text", quoted(given)}});
    if (!moment->offset_s) throw OptionError("error.time_zone", {{"text", quoted(given)}});
    const long long seconds = moment->seconds - *moment->offset_s;
    if (seconds < 0 || seconds >= days_before(10'000) * day_s)
        throw OptionError("error.time_range", {{"text", quoted(given)}});
    long long days = seconds / day_s;
    int year = static_cast<int>(days / 366) + 1, month = 1;
    while (days_before(year + 1) <= days) ++year;
    for (days -= days_before(year); days >= days_in(month, year); ++month) days -= days_in(month, year);
    const int clock = static_cast<int>(seconds % day_s);
    char result[48];
    const int length =
        std::snprintf(result, sizeof result, "%04d-%02d-%02dT%02d:%02d:%02d", year, month,
                      static_cast<int>(days) + 1, clock / 3600, clock / 60 % 60, clock % 60);
    std::string shown(result, static_cast<std::size_t>(length));
    if (moment->microseconds != 0) {
        std::snprintf(result, sizeof result, ".%06d", moment->microseconds);
        shown += result;
    }
    return shown + "Z";
}

}  // namespace fourcast::study
