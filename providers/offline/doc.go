// Package offline answers without a model, a key or a network. It reads a plain request as a call
// of one tool, or says honestly that it cannot.
//
// Marvin starts with this package if nothing is configured. A request is understood in layers, the
// most certain first:
//
//   - the exact form of a call ("tool_name name=value", direct.go);
//   - a line for the shell, taken literally (command.go);
//   - the phrases of phrases/ in English, German and French, which must match the whole request:
//     words, and values of checked kinds (phrase.go, match.go, value.go, moment.go, sum.go). The
//     words are in phrases/lexicon.txt;
//   - the same phrases over a normalized sentence: infinitives and gerunds become imperatives, and
//     embedded questions become direct ones (orders.go);
//   - the frames of phrases/frames.txt, whose words may come in any order (frame.go);
//   - the example requests of each tool ("convert {12|value} …"), matched with gaps (template.go,
//     lay.go, reading.go).
//
// Nothing is learned and nothing is guessed. If the score of the best reading is too low, or if a
// value may contain a second request, the answer only suggests requests. Requests that write or run
// must match every word. Times are only recognized here; tools get the original text. The files are
// read on first use, so they do not slow the start.
//
// Its quality is measured with requests that nobody looks at during development (make eval).
//
// Rejected alternatives: a classifier (it cannot give reasons, and is never certain enough for a
// request that writes), and a parser library (prose, duckling: hundreds of KB, English first).
package offline
