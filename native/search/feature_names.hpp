// The names of the features of the search, as options and tests have them.
#pragma once

#include <utility>

#include "engine.hpp"

namespace fourcast {

inline constexpr std::pair<const char*, bool Features::*> all_features[] = {
    {"table", &Features::table},
    {"mirror", &Features::mirror},
    {"dead_discs", &Features::dead_discs},
    {"lookahead", &Features::lookahead},
    {"proofs", &Features::proofs},
    {"child_proofs", &Features::child_proofs},
    {"local_games", &Features::local_games},
    {"hold", &Features::hold},
    {"learned_order", &Features::learned_order},
    {"order_net", &Features::order_net},
    {"value_net", &Features::value_net},
    {"endgame", &Features::endgame},
    {"schedule", &Features::schedule},
};

}  // namespace fourcast
