package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"marvin/providers"
)

// namedModels is the maximum number of installed models that an error message lists.
const namedModels = 8

// advise tells the user what to do about an error, if there is a remedy.
func (m *Model) advise(ctx context.Context, status *providers.StatusError) error {
	switch {
	case status.Status == http.StatusNotFound && strings.Contains(status.Message, "not found"):
		return fmt.Errorf("%w; %sinstall it with ollama pull %s", status, m.installedNames(ctx), m.config.Model)
	case status.Status == http.StatusUnauthorized:
		return fmt.Errorf("%w; to sign in, run: ollama signin", status)
	}
	return status
}

func refusesTools(err error) bool {
	status, ok := errors.AsType[*providers.StatusError](err)
	return ok && status.Status == http.StatusBadRequest && strings.Contains(status.Message, "does not support tools")
}

func (m *Model) installedNames(ctx context.Context) string {
	ctx, stop := context.WithTimeout(ctx, askingLimit)
	defer stop()
	names, err := Installed(ctx, m.config.URL, m.config.HTTP)
	switch {
	case err != nil:
		return ""
	case len(names) == 0:
		return "no model is installed; "
	}
	return "choose an installed model (" + List(names) + ") with /model or OLLAMA_MODEL, or "
}

// List joins the first few names and counts the others, for display.
func List(names []string) string {
	if len(names) <= namedModels {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:namedModels], ", "), len(names)-namedModels)
}
