// Package offline answers without a model, a key or a network: it reads a plain
// request as a call of one tool, or says honestly that it cannot.
//
// It is what a fresh checkout starts with. A request is understood in layers, the surest
// first:
//
//   - the exact form of a call ("tool_name name=value", direct.go);
//   - a line for the shell, taken to the last letter (command.go);
//   - the phrases of phrases/ in English, German and French, of which one must be all of
//     the request: words, and values of kinds that are checked (phrase.go, match.go,
//     value.go, moment.go, sum.go). The words themselves are in phrases/lexicon.txt;
//   - the same phrases over the sentence said the plain way: infinitives, gerunds and
//     questions inside another brought to their first form (orders.go);
//   - the frames of phrases/frames.txt, whose words may come in any order (frame.go);
//   - the example requests that every tool carries ("convert {12|value} …"), laid over the
//     request with gaps (template.go, lay.go, reading.go).
//
// Nothing is learned and nothing is guessed: below a fixed score, and wherever a second
// order may stand in a value, the answer is what can be asked instead. What is written or
// run needs every word to be as it should. Times are only recognised here; what was said
// goes to the tools as it is. The files are read on first use: a start pays nothing.
//
// Held-out requests judge it (make eval).
//
// Decided against: a classifier (it cannot say why, and is never sure enough to write),
// and a parser library (prose, duckling: hundreds of KB, English first).
package offline
