package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/ollama"
)

// askedWindow is the context window for Ollama, in tokens: from the configuration, else from
// Ollama's own variable; 0 if unset.
func askedWindow(world World, settings settings.Config) int {
	if settings.NumCtx > 0 {
		return settings.NumCtx
	}
	size, err := windowVariable(world.Getenv("OLLAMA_CONTEXT_LENGTH"))
	if err != nil {
		return 0 // told at the start
	}
	return size
}

// windowVariable reads OLLAMA_CONTEXT_LENGTH; 0, as Ollama has it, is no wish.
func windowVariable(text string) (int, error) {
	text = strings.Trim(strings.TrimSpace(text), "\"'")
	if text == "" || text == "0" {
		return 0, nil
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < ollama.LeastWindow || size > ollama.MostWindow {
		return 0, fmt.Errorf("OLLAMA_CONTEXT_LENGTH=%q is ignored: it is no number of tokens from %d to %d", text, ollama.LeastWindow, ollama.MostWindow)
	}
	return size, nil
}

// noOllama says what helps where none answers.
func noOllama(model string) string {
	return "ollama serve & ollama pull " + model + "   (or set OLLAMA_URL)"
}

// lookAtOllama says what the doctor finds where an Ollama should be.
func (a *accounts) lookAtOllama(ctx context.Context, selection providers.Selection) finding {
	f := finding{what: cmp.Or(selection.Provider, providers.Ollama)}
	client := a.lister(selection.Provider)
	defer client.CloseIdleConnections()
	names, err := ollama.Installed(ctx, selection.BaseURL, client)
	switch {
	case err != nil:
		f.state = "does not answer at " + selection.BaseURL
		f.mend = noOllama(selection.Model)
	case len(names) == 0:
		f.state = "answers at " + selection.BaseURL + " and has no models"
		f.mend = "ollama pull " + selection.Model
	case !ollama.Has(names, selection.Model):
		f.state = selection.Model + " is not installed; installed are " + ollama.List(names)
		f.mend = "ollama pull " + selection.Model + "   (or set OLLAMA_MODEL to one that is there)"
	case !ollama.CallsTools(ctx, selection.BaseURL, client, selection.Model):
		f.good, f.state = true, selection.Model+", installed; it cannot call tools and only talks"
	default:
		f.good, f.state = true, selection.Model+", installed"
	}
	return f
}
