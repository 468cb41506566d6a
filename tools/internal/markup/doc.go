// Package markup converts HTML to text for a model or a user.
//
// [Text] is for fragments, and for pages whose links the reader does not need. Blocks become lines,
// lists keep their bullets and numbers, code keeps its white space. [Markdown] is for pages whose
// links the reader may follow. It adds headings, URLs and the header rows of tables. Both accept
// any bytes and never fail.
//
// Two libraries are not used. github.com/JohannesKaufmann/html-to-markdown/v2 (v2.5.2) could
// replace markdown.go and half of text.go, but it includes hidden text, in which attackers put
// instructions for models. It also writes a table as "ab12", and adds 750 KB to the binary and
// 0.16 ms to Marvin's startup time (measured in November 2026).
// codeberg.org/readeck/go-readability compiles 28 regular expressions when the program starts,
// which takes 0.36 ms and 260 KB in every run (measured in November 2025).
package markup
