// What the solver asks of the search, and nothing of how it works: the line between code that runs on
// every processor and the kernels behind it, which are compiled once for each kind.
#pragma once

#include <cstddef>
#include <memory>

#include "shape.hpp"

namespace fourcast {

/// The parts of the search that can be switched off, to see what each of them is worth and that none of
/// them changes a score.
struct Features {
    bool table = true;          // remember positions
    bool mirror = true;         // one entry for a position and its mirror image
    bool dead_stones = true;    // one entry for positions that differ in stones without a future
    bool lookahead = true;      // ask the table about all children before searching one
    bool proofs = true;         // static proofs of a position
    bool child_proofs = true;   // ... and quick ones of all children at once
    bool learned_order = true;  // trained weights, not only threats and the centre
    bool schedule = true;       // the most decisive scores first, as long as that is cheap
};

/// Asked every now and then by a search whether it should give up.
class Watch {
  public:
    virtual bool should_stop() = 0;

  protected:
    ~Watch() = default;
};

/// Where in lower .. upper is the score of the side to move? A score beyond either end counts as that
/// end.
struct Question {
    u128 mover;
    u128 mask;
    int lower;
    int upper;
    u64 node_limit;
    int threads;
};

/// Proven: lower <= score <= upper. Complete if that settles the question.
struct Answer {
    int lower;
    int upper;
    u64 nodes;
    bool complete;
};

/// The search for boards of one size, with its table. May be asked from several threads at once, each of
/// which has a session of its own.
class Engine {
  public:
    /// What one thread needs to ask questions. It must not live longer than the engine.
    class Session {
      public:
        virtual ~Session();
        Session(const Session&) = delete;
        Session& operator=(const Session&) = delete;

        /// The position must be legal and not over.
        virtual Answer solve(const Question& question, Watch& watch) = 0;

      protected:
        Session();
    };

    virtual ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    virtual std::unique_ptr<Session> open() = 0;
    /// Ask one question.
    Answer solve(const Question& question, Watch& watch) { return open()->solve(question, watch); }

  protected:
    Engine();
};

struct EngineOptions {
    int width;
    int height;
    std::size_t table_bytes;
    Features features;
};

/// An engine of the best kernel that this processor runs, or of the one that FOURCAST_KERNEL names.
std::unique_ptr<Engine> make_engine(const EngineOptions& options);
/// The name of the kernel that make_engine takes.
const char* kernel_name();

}  // namespace fourcast
