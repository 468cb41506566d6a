// Package offline answers requests without a model, a key or a network. It converts a plain request
// to a call to one tool, or answers that the request was not understood.
//
// Marvin uses this package if nothing is configured. It interprets a request in layers, the most
// certain first:
//
//   - the exact form of a call ("tool_name name=value", direct.go);
//   - a line for the shell, taken literally (command.go);
//   - the English, German and French phrases in phrases/. A phrase consists of words and
//     placeholders for values, and must match the whole request (phrase.go, match.go, value.go,
//     moment.go, sum.go). Word lists are in phrases/lexicon.txt;
//   - the same phrases, applied to a normalized sentence: infinitives and gerunds become
//     imperatives, and embedded questions become direct ones (orders.go);
//   - the frames in phrases/frames.txt, which match words in any order (frame.go);
//   - the example requests of each tool ("convert {12|value} …"), matched with gaps (template.go,
//     lay.go, reading.go).
//
// Nothing is learned and nothing is guessed. No tool is called if the score of the best reading is
// too low. The same applies if a value might contain a second request. If a request writes or runs
// something, every word must match. The package recognizes times, but the tools parse the times.
// The phrase files are read on first use, to keep startup fast.
//
// "make eval" shows which held-out requests are understood.
//
// Rejected alternatives: a classifier, which cannot give reasons and is never certain enough for
// requests that write; and parser libraries (prose, duckling), which add hundreds of KB and favor
// English.
package offline
