#include "glicko.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace fourcast::study {
namespace {

constexpr double scale = 173.7178;
constexpr double tau = 0.5;  // how much the volatility may change
constexpr double precision = 1e-6;

/// The new volatility, by the Illinois algorithm (step 5 of the paper).
double new_volatility(double sigma, double phi, double v, double delta) {
    const double a = std::log(sigma * sigma);
    const auto f = [&](double x) {
        const double e = std::exp(x);
        const double d = phi * phi + v + e;
        return e * (delta * delta - d) / (2 * d * d) - (x - a) / (tau * tau);
    };
    double low = a;
    double high = a;
    if (delta * delta > phi * phi + v) {
        high = std::log(delta * delta - phi * phi - v);
    } else {
        int k = 1;
        while (f(a - k * tau) < 0) ++k;
        high = a - k * tau;
    }
    double f_low = f(low), f_high = f(high);
    while (std::abs(high - low) > precision) {
        const double middle = low + (low - high) * f_low / (f_high - f_low);
        const double f_middle = f(middle);
        if (f_middle * f_high <= 0) {
            low = high;
            f_low = f_high;
        } else {
            f_low /= 2;
        }
        high = middle;
        f_high = f_middle;
    }
    return std::exp(low / 2);
}

std::vector<double> numbers_from(const Value& value, const char* what, std::size_t count) {
    std::vector<double> numbers;
    for (const Value& each : value.array(what)) numbers.push_back(each.number(what));
    if (numbers.size() != count)
        throw OptionError("error.cannot_be", {{"what", what}, {"given", value.json()}});
    return numbers;
}

/// The skill of "player", [rating, deviation, volatility], after "results" against others, each
/// [rating, deviation, score].
Value glicko(const Value& request, const Context&) {
    const auto player = numbers_from(request.at("player"), "player", 3);
    std::vector<RatedResult> results;
    for (const Value& each : request.at("results").array("results")) {
        const auto parts = numbers_from(each, "a result", 3);
        results.push_back({parts[0], parts[1], parts[2]});
    }
    return skill_value(updated({player[0], player[1], player[2]}, results));
}

}  // namespace

Skill updated(const Skill& player, std::span<const RatedResult> results) {
    const double phi = player.deviation / scale;
    if (results.empty())
        return {player.rating, scale * std::hypot(phi, player.volatility), player.volatility};
    double information = 0, total = 0;
    for (const auto& [rating, deviation, score] : results) {
        const double spread = deviation / scale / std::numbers::pi;
        const double g = 1 / std::sqrt(1 + 3 * (spread * spread));
        const double expected = 1 / (1 + std::exp(-g * (player.rating - rating) / scale));
        information += g * g * expected * (1 - expected);
        total += g * (score - expected);
    }
    const double v = 1 / information;
    const double sigma = new_volatility(player.volatility, phi, v, v * total);
    const double phi_star = std::hypot(phi, sigma);
    const double new_phi = 1 / std::sqrt(1 / (phi_star * phi_star) + 1 / v);
    return {player.rating + scale * (new_phi * new_phi) * total, scale * new_phi, sigma};
}

Value skill_value(const Skill& skill) {
    return Value::Array{skill.rating, skill.deviation, skill.volatility};
}

std::span<const Question> glicko_questions() {
    static constexpr Question questions[] = {{"glicko", glicko}};
    return questions;
}

}  // namespace fourcast::study
