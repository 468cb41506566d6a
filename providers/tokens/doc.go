// Package tokens estimates how many tokens a request takes.
//
// All conversations of a process share a [Counter]; [Counter.For] returns the [Meter] of one model.
// A text is estimated from its bytes (estimate.go). Compared with OpenAI's tokenizer (o200k_base)
// the estimate is off by -3 to +6 % for English, German, Russian, Chinese, Japanese, Go, Python,
// JavaScript, JSON, tool schemas, diffs and listings of files, and by 12 % at most for 6 KB of one
// of them (measured, November 2026). [Meter.Learn] corrects it by the usage that the provider
// reports.
//
// A short conversation is not counted, because no tokenizer makes more tokens than there are bytes,
// so [Meter.Count] returns [Bound] while that is enough.
//
// A real tokenizer is not used. OpenAI's would add 3.2 MB to the binary, and other makers count
// differently and mostly publish no tokenizer, so the reported usage would have to correct it
// anyway.
package tokens
