package clitest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/cli"
)

// NewWorld returns a world with the given directories and environment variables.
func NewWorld(home, dir string, variables ...string) cli.World {
	values := map[string]string{}
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		values[name] = value
	}
	return cli.World{Home: home, Dir: dir, Environ: variables, Getenv: func(name string) string { return values[name] }, Now: func() time.Time { return time.Unix(1e9, 0).UTC() }}
}

// ValueOrError returns a value as text, or the error if there is one.
func ValueOrError(value any, err error) string {
	if err != nil {
		return "! " + err.Error()
	}
	return fmt.Sprint(value)
}

// WriteFile writes text to the path joined from elements, and returns the path. It creates missing
// directories.
func WriteFile(t *testing.T, text string, elements ...string) string {
	t.Helper()
	path := filepath.Join(elements...)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// CheckError checks that the text of an error has the given beginning and end.
func CheckError(t *testing.T, what string, err error, begins, ends string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), begins) || !strings.HasSuffix(err.Error(), ends) {
		t.Errorf("%s: %v, want %s … %s", what, err, begins, ends)
	}
}

// FormatFindings returns one line per finding.
func FormatFindings(findings []cli.Finding) string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, fmt.Sprint(f.Good, " ", f.What, ": ", f.State, " (", f.Mend, ")"))
	}
	return strings.Join(lines, "\n")
}
