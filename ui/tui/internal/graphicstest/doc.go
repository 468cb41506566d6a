// Package graphicstest is a terminal that draws pictures, for tests: it takes the bytes that a
// program writes, with the three protocols for pictures among them, and says what is on the
// screen. It is strict: what a terminal might forgive is an error.
//
// Written after kitty's "Terminal graphics protocol" (sw.kovidgoyal.net/kitty/graphics-protocol),
// iTerm2's "Inline Images Protocol" (iterm2.com/documentation-images.html) and chapter 14,
// "Sixel Graphics", of the VT330/VT340 Programmer Reference Manual
// (vt100.net/docs/vt3xx-gp/chapter14.html).
package graphicstest
