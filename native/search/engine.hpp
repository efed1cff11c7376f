// The interface of the search: the line between code that runs on every processor and the kernels behind
// it, which are compiled once for each kind of processor.
#pragma once

#include <cstddef>
#include <memory>

#include "board/shape.hpp"
#include "board/variant.hpp"

namespace fourcast {

/// The parts of the search that can be switched off, to see what each of them is worth and that none of
/// them changes a score. They are explained in docs/how-the-solver-works.md.
struct Features {
    bool table = true;          // remember positions
    bool mirror = true;         // one entry for a position and its mirror image
    bool dead_discs = true;     // one entry for positions that differ in discs without a future
    bool lookahead = true;      // ask the table about all children before searching one
    bool proofs = true;         // static proofs of a position
    bool child_proofs = true;   // ... and quick ones of all children at once
    bool local_games = true;    // ... and some in which two columns are a game of their own
    bool hold = true;           // a static proof for the end: nobody plays below a threat of the other
    bool learned_order = true;  // trained weights, not only threats and the center
    bool order_net = true;      // ... and a small net on top of them, early in the game
    bool value_net = true;      // ... and a larger one for the scores that the moves lead to
    bool endgame = true;        // a search of its own for the last squares, which does less of each node
    bool schedule = true;       // the most decisive scores first, as long as that is cheap

    friend constexpr bool operator==(const Features&, const Features&) = default;
};

/// Asked every 1024 nodes, on the thread that asked the question, whether to give up. Must not throw.
class StopCondition {
  public:
    virtual bool should_stop() = 0;

  protected:
    ~StopCondition() = default;
};

inline constexpr u64 no_node_limit = ~u64{0};

/// Where in lower .. upper is the score of the side to move? A score beyond either end counts as that
/// end.
struct Question {
    u128 mover;
    u128 mask;
    int lower;
    int upper;
    u64 node_limit;  // of all threads together; each may visit one node more
    int threads;
};

/// Proven: lower <= score <= upper. Complete if that settles the question.
struct Answer {
    int lower;
    int upper;
    u64 nodes;
    bool complete;
};

/// The search for boards of one size, with its table. Several threads may ask at once, each in a session
/// of its own. After a fork the child may open sessions even if other threads were searching; those that
/// were open are lost to it.
class Engine {
  public:
    /// What one thread needs to ask questions.
    class Session {
      public:
        virtual ~Session();
        Session(const Session&) = delete;
        Session& operator=(const Session&) = delete;

        /// The position must be legal and not over.
        virtual Answer solve(const Question& question, StopCondition& stop) = 0;

      protected:
        Session();

      private:
        friend class Engine;
        std::unique_ptr<Session> next_;  // of those that wait to be used again
    };
    struct GiveBack {
        Engine* engine = nullptr;
        void operator()(Session* session) const;
    };
    /// A session that belongs to one thread for a while. It must not outlive the engine.
    using Lease = std::unique_ptr<Session, GiveBack>;

    virtual ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    Lease open();

  protected:
    Engine();

    virtual std::unique_ptr<Session> make_session() = 0;

  private:
    std::unique_ptr<Session> idle_;  // making one takes longer than an easy question
};

struct EngineOptions {
    int width;
    int height;
    std::size_t table_bytes;
    Features features;
    Rules rules{};
};

/// An engine for these rules; for the standard ones it is of the best kernel that this processor runs,
/// or of the one that FOURCAST_KERNEL names.
std::unique_ptr<Engine> make_engine(const EngineOptions& options);
/// The name of the kernel that make_engine takes.
const char* kernel_name();

}  // namespace fourcast
