package accounts

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/ollama"
)

// askedWindow returns the context window for Ollama, in tokens. It comes from the configuration, or
// else from Ollama's own variable; 0 means that neither is set.
func askedWindow(world cli.World, settings settings.Config) int {
	if settings.NumCtx > 0 {
		return settings.NumCtx
	}
	size, err := WindowVariable(world.Getenv("OLLAMA_CONTEXT_LENGTH"))
	if err != nil {
		return 0 // reported at startup
	}
	return size
}

// WindowVariable parses the value of OLLAMA_CONTEXT_LENGTH. Like Ollama, WindowVariable treats ""
// and "0" as not set.
func WindowVariable(text string) (int, error) {
	text = strings.Trim(strings.TrimSpace(text), "\"'")
	if text == "" || text == "0" {
		return 0, nil
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < ollama.MinWindow || size > ollama.MaxWindow {
		return 0, fmt.Errorf("OLLAMA_CONTEXT_LENGTH=%q is ignored, because it is not a number of tokens from %d to %d", text, ollama.MinWindow, ollama.MaxWindow)
	}
	return size, nil
}

// NoOllama returns advice for a user whose Ollama does not answer.
func NoOllama(model string) string {
	return "ollama serve & ollama pull " + model + "   (or set OLLAMA_URL)"
}

// LookAtOllama checks whether Ollama answers and has the selected model.
func (a *Accounts) LookAtOllama(ctx context.Context, selection providers.Selection) cli.Finding {
	f := cli.Finding{What: cmp.Or(selection.Provider, providers.Ollama)}
	client := a.Lister(selection.Provider)
	defer client.CloseIdleConnections()
	names, err := ollama.Installed(ctx, selection.BaseURL, client)
	switch {
	case err != nil:
		f.State = "does not answer at " + selection.BaseURL
		f.Mend = NoOllama(selection.Model)
	case len(names) == 0:
		f.State = "answers at " + selection.BaseURL + " and has no models"
		f.Mend = "ollama pull " + selection.Model
	case !ollama.Has(names, selection.Model):
		f.State = selection.Model + " is not installed; the installed models are " + ollama.List(names)
		f.Mend = "ollama pull " + selection.Model + "   (or set OLLAMA_MODEL to an installed model)"
	case !ollama.CallsTools(ctx, selection.BaseURL, client, selection.Model):
		f.Good, f.State = true, selection.Model+", installed; it cannot call tools, so it can only talk"
	default:
		f.Good, f.State = true, selection.Model+", installed"
	}
	return f
}
