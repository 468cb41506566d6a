// Package graphicstest provides a simulated terminal for tests that draw pictures. The terminal
// supports the three picture protocols, and reports errors that real terminals might tolerate.
//
// Sources: kitty's "Terminal graphics protocol" (sw.kovidgoyal.net/kitty/graphics-protocol),
// iTerm2's "Inline Images Protocol" (iterm2.com/documentation-images.html) and chapter 14, "Sixel
// Graphics", of the VT330/VT340 Programmer Reference Manual
// (vt100.net/docs/vt3xx-gp/chapter14.html).
package graphicstest
