// Package markup converts HTML to text for a model or a user.
//
// [Text] is for fragments, and for pages whose links the reader does not need. Blocks become lines,
// lists keep their bullets and numbers, and code keeps its white space. [Markdown] is for pages
// whose links the reader needs. It adds headings, URLs and the header rows of tables. Both
// functions accept any bytes and never fail.
//
// Two libraries were rejected. github.com/JohannesKaufmann/html-to-markdown/v2 (v2.5.2) could
// replace markdown.go and half of text.go. But its output omits separators between table cells
// ("ab12"), and includes hidden text, in which attackers put instructions for models. The library
// adds 750 KB to the binary and 0.16 ms to Marvin's startup time (measured in November 2026).
// codeberg.org/readeck/go-readability compiles 28 regular expressions when the program starts. This
// takes 0.36 ms and 260 KB in every run (measured in November 2026).
package markup
