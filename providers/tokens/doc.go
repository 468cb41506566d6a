// Package tokens estimates how many tokens a request takes.
//
// All conversations of a process share a [Counter]; [Counter.MeterFor] returns the [Meter] of one
// model. A text is estimated from its bytes (estimate.go). Compared with OpenAI's tokenizer
// (o200k_base) the estimate is off by -3 to +6 % for English, German, Russian, Chinese, Japanese,
// Go, Python, JavaScript, JSON, tool schemas, diffs and listings of files, and by 12 % at most for
// 6 KB of one of them (measured, November 2026). [Meter.Learn] corrects the estimate with the usage
// that the provider reports.
//
// For a short conversation, [Meter.Count] returns [Bound] without an estimate: no tokenizer makes
// more tokens than there are bytes.
//
// A real tokenizer is not used. OpenAI's tokenizer would add 3.2 MB to the binary. Other makers
// count differently, and most of them publish no tokenizer. So the count would have to be corrected
// by the reported usage in any case.
package tokens
