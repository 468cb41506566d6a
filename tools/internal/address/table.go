package address

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/proc"
)

const (
	mostRows  = 100_000
	mostTable = 16 << 20 // bytes
)

// table returns the rows of a table, or the list of tables. It runs the installed sqlite3 with
// -safe and -readonly, so sqlite3 runs no other program and loads no extension. An SQLite library
// would add 8 MB to the binary and make Marvin start more slowly.
func (a Address) table(ctx context.Context, env tools.Env, dir *box.Dir, file *box.File) (Source, error) {
	defer func() { _ = file.Close() }()
	name := strings.Trim(a.Rest, "/")
	tables, err := ask(ctx, env, dir.Abs(file.Name), "SELECT name FROM sqlite_schema WHERE type IN ('table','view') AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", a.File, err)
	}
	names := strings.Split(strings.TrimSpace(tables), "\n")[1:]
	if name == "" {
		text := "Tables and views of " + a.File + ":\n" + strings.Join(names, "\n") + "\n"
		schema, err := ask(ctx, env, dir.Abs(file.Name), "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
		if err == nil {
			text += "\nSchema:\n" + schema
		}
		source := textSource(a.Text, text)
		source.Members = names
		return source, nil
	}
	known := false
	for _, one := range names {
		known = known || one == name
	}
	if !known {
		return Source{}, tools.Advise(fmt.Errorf("%s has no table %q", a.File, name), "It has: %s.", tools.Visible(strings.Join(names, ", ")))
	}
	rows, err := ask(ctx, env, dir.Abs(file.Name), fmt.Sprintf(`SELECT * FROM "%s" LIMIT %d`, strings.ReplaceAll(name, `"`, `""`), mostRows))
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", a.Text, err)
	}
	return textSource(a.Text, rows), nil
}

// ask executes an SQL query. Each line of the result has tab-separated fields, and the first line
// contains the column names.
func ask(ctx context.Context, env tools.Env, path, query string) (string, error) {
	cell, err := env.Jail()
	if err != nil {
		return "", err
	}
	out := &proc.Capped{Most: mostTable}
	result, err := proc.Run(ctx, proc.Command{
		Name: "sqlite3", Args: []string{"-safe", "-readonly", "-header", "-separator", "\t", path, query},
		Dir: env.Dir, Environ: env.Environ, Jail: cell, Childless: cell == nil, Stdout: out,
	})
	switch {
	case errors.Is(err, proc.ErrNotFound):
		return "", tools.Advise(errors.New("sqlite3 is not installed"), "Tell the user to install the package sqlite3.")
	case out.Exceeded():
		return out.String() + "\n[" + strconv.Itoa(mostTable>>20) + " MB are shown; to see only a part, query it with sqlite3 in a command]\n", nil
	case err != nil:
		return "", tools.AdviseUnconfined(err)
	case result.ExitCode != 0:
		return "", fmt.Errorf("sqlite3: exit code %d: %s", result.ExitCode, strings.TrimSpace(result.Stderr.Text()))
	}
	return out.String(), nil
}
