package markup

import (
	"strings"
	"testing"
)

func TestHiddenPageTextIsDropped(t *testing.T) {
	const shown = "<p>The weather is fine today, and so it will be tomorrow, says the office.</p>"
	for name, page := range map[string]string{
		"display":          `<p style="display:none">SECRET</p>`,
		"important":        `<p style="color:red; DISPLAY : None !important">SECRET</p>`,
		"visibility":       `<p style="visibility:hidden">SECRET <b>SECRET</b></p>`,
		"opacity":          `<p style="opacity:0.01">SECRET</p>`,
		"size":             `<p style="font-size:0px">SECRET <i>SECRET</i></p>`,
		"one pixel":        `<p style="font-size:1px">SECRET</p>`,
		"off the screen":   `<p style="position:absolute; left:-9999px">SECRET</p>`,
		"indented away":    `<p style="text-indent:-5000px">SECRET</p>`,
		"moved away":       `<p style="transform:translate(-9999px, 0)">SECRET</p>`,
		"clipped":          `<p style="position:absolute;clip:rect(0 0 0 0);width:1px">SECRET</p>`,
		"clip path":        `<p style="clip-path: inset(50%)">SECRET</p>`,
		"no height":        `<div style="height:0;overflow:hidden"><p>SECRET</p></div>`,
		"white on white":   `<p style="color:#fff;background:#ffffff">SECRET</p>`,
		"nearly white":     `<div style="background-color: rgb(255,255,255)"><p style="color:#fefefe">SECRET</p></div>`,
		"white, no paint":  `<p style="color:white">SECRET</p>`,
		"black on black":   `<p style="background:#000">SECRET</p>`,
		"font":             `<body bgcolor="#FFFFFF"><font color="white">SECRET</font>`,
		"transparent":      `<p style="color:transparent">SECRET</p>`,
		"alpha":            `<p style="color:rgba(0,0,0,0)">SECRET</p>`,
		"attribute":        `<p hidden>SECRET</p>`,
		"aria":             `<div aria-hidden="true"><p>SECRET</p></div>`,
		"template":         `<template><p>SECRET</p></template>`,
		"comment":          `<!-- SECRET -->`,
		"a class":          `<style>/* .x{} */ .note, .x { color: red; display:none }</style><p class="a x">SECRET</p>`,
		"an id":            `<style>p#x{visibility:hidden}</style><p id=x>SECRET</p>`,
		"an element":       `<style>aside{display:none}</style><aside>SECRET</aside>`,
		"white by a class": `<style>.x{color:#FFF}</style><p class=x>SECRET</p>`,
		"painted by rules": `<style>body{background:#222;color:#eee} .x{color:#222}</style><p class=x>SECRET</p>`,
		"for screens too":  `<style>.x{display:none} @media print{.x{color:red}}</style><p class=x>SECRET</p>`,
		"an inner one":     `<div><section><span style="display:none">SECRET</span></section></div>`,
		"alt":              `<img src=x alt="SECRET">`,
	} {
		if got := Text(page + shown); strings.Contains(got, "SECRET") || !strings.Contains(got, "weather is fine") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestVisiblePageTextIsKept(t *testing.T) {
	for name, page := range map[string]string{
		"shown again":        `<style>.x{display:none} .x{display:block}</style><p class=x>SEEN</p>`,
		"on wide screens":    `<style>.x{display:none} @media (min-width:600px){.x{display:block}}</style><p class=x>SEEN</p>`,
		"when printed":       `<style>@media print{.x{display:none}}</style><p class=x>SEEN</p>`,
		"by its attribute":   `<style>.x{display:none}</style><p class=x style="display:block">SEEN</p>`,
		"another class":      `<style>.x.y{display:none}</style><p class=x>SEEN</p>`,
		"below another":      `<style>.closed .x{display:none}</style><p class=x>SEEN</p>`,
		"no gaps in a list":  `<ul style="font-size:0"><li style="font-size:16px">SEEN</li></ul>`,
		"visible inside":     `<div style="visibility:hidden"><p style="visibility:visible">SEEN</p></div>`,
		"white on dark":      `<div style="background:#111"><p style="color:#fff">SEEN</p></div>`,
		"white on a picture": `<div style="background:url(x.png)"><p style="color:#fff">SEEN</p></div>`,
		"white, who knows":   `<link rel=stylesheet href=x.css><p style="color:#fff">SEEN</p>`,
		"white by a sheet":   `<style>.hero{background:navy}</style><div class=hero><p style="color:white">SEEN</p></div>`,
		"half there":         `<p style="opacity:0.5">SEEN</p>`,
		"small":              `<p style="font-size:0.8em">SEEN</p>`,
		"a share":            `<div style="overflow:hidden;width:1%">SEEN</div>`,
		"indented":           `<p style="text-indent:-20px;left:-10px">SEEN</p>`,
		"letters of colours": `<p style="color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text">SEEN</p>`,
		"formula":            `<span><span class=m><math><mi>x</mi></math></span><span aria-hidden=true>SEEN</span></span>`,
		"aria says no":       `<p aria-hidden="false">SEEN</p>`,
		"broken sheet":       `<style>.x{display:none .y{{{</style><p class=z>SEEN</p>`,
	} {
		if got := Text(page); !strings.Contains(got, "SEEN") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A mostly hidden page is read, and marked as such.
func TestAPageThatIsMostlyHidden(t *testing.T) {
	got := Text(`<body style="opacity:0"><p>All of it waits for a script.</p></body>`)
	if got != mostlyHidden+"\n\nAll of it waits for a script." {
		t.Errorf("%q", got)
	}
}

func BenchmarkUnseen(b *testing.B) {
	page := "<style>" + strings.Repeat(".a{display:none}.b{color:red}", 500) + "</style>" + strings.Repeat(`<div class="c d"><p style="margin:0;color:#333">Some words of a page.</p></div>`, 20_000)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		Parse(page)
	}
}
