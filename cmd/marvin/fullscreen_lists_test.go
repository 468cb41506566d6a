package main

import (
	"strings"
	"testing"
)

func TestListsOfTheFullScreen(t *testing.T) {
	t.Parallel()
	p := openPane(t, 110, 30)
	p.press("mkdir -p p/sub; cd p; echo x > sub/kettle.txt; clear; marvin --provider offline", "Enter")
	p.sees("Marvin, an assistant in your terminal")
	for _, row := range []struct {
		typed string
		shown []string
	}{
		{"/approve ", []string{"plan          no tool may write", "ask           Marvin asks before every call that writes"}},
		{"/theme ", []string{"mono          no colors", "nord          dark"}},
		{"/settings ", []string{"colours       how many colors are used"}},
		{"/effort ", []string{"  auto\n", "  high\n"}},
		{"@kettle", []string{"sub/kettle.txt"}},
	} {
		p.press("-l", row.typed)
		p.sees(row.shown...)
		p.press("C-u")
	}
	p.press("!echo a kettle is here", "Enter")
	p.until("the greeting goes with the first command", func(shown string) bool {
		return strings.Contains(shown, "│ a kettle is here") && !strings.Contains(shown, "an assistant in your terminal")
	})
	for _, row := range []struct{ typed, said string }{
		{"/lsp", "No language server is running. Marvin starts a server when"},
		{"/lsp log go", "go did not run in this conversation"},
		{"/lsp restart go", "go is stopped. Marvin starts it again when"},
		{"/lsp what", "type /lsp to list the language servers, /lsp restart NAME to restart one, or /lsp log NAME to see its log"},
	} {
		p.press("-l", row.typed)
		p.press("Enter")
		p.sees(row.said)
	}
	p.press("convert 12 km to miles", "Enter")
	p.sees("7.456", "2 messages")
	p.press("quit", "Enter")
	p.leaves()
	p.press("clear; marvin --provider offline", "Enter")
	p.sees("Marvin, an assistant in your terminal")
	p.press("convert 3 kg to pounds", "Enter")
	p.sees("6.6", "2 messages")
	p.press("/resume", "Enter")
	p.sees("Which conversation do you want to continue?", "convert 12 km to miles", "1 turn")
	p.press("km to")
	p.sees("convert 12 km to miles")
	p.press("Enter")
	p.sees("Continued: convert 12 km to miles", "7.456")
	p.press("quit", "Enter")
	p.leaves()
}
