package location

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

const (
	tokenKept  = 50 * time.Minute // Google's tokens are valid for 60 minutes
	noneKept   = 5 * time.Minute  // Marvin notices a login within this time
	gcloudTime = 10 * time.Second // gcloud takes about 1 s to start
)

// googleLogin caches gcloud's token, or the error if gcloud has none. Without the cache, every
// search would run gcloud, which takes a second.
type googleLogin struct {
	mu             sync.Mutex
	value, project string
	err            error
	asked          time.Time
}

func (g *googleLogin) token(ctx context.Context, env tools.Env) (token, project string, err error) {
	g.mu.Lock()
	value, project, err, asked := g.value, g.project, g.err, g.asked
	g.mu.Unlock()
	kept := tokenKept
	if err != nil {
		kept = noneKept
	}
	if age := env.Now().Sub(asked); !asked.IsZero() && age >= 0 && age < kept {
		return value, project, err
	}
	value, project, err = askToken(ctx, env)
	if ctx.Err() != nil {
		return "", "", context.Cause(ctx) // an interrupted call is not cached
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value, g.project, g.err, g.asked = value, project, err, env.Now()
	return value, project, err
}

// forget empties the cache, and reports whether the cache contained a token.
func (g *googleLogin) forget() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	had := g.value != ""
	g.value, g.asked = "", time.Time{}
	return had
}

func askToken(ctx context.Context, env tools.Env) (token, project string, err error) {
	if !maybeLoggedIn(env) {
		return "", "", errNoGoogle
	}
	if token, err = gcloud(ctx, env, gcloudTime, "auth", "print-access-token"); err != nil || token == "" {
		return "", "", errors.Join(errNoGoogle, err)
	}
	project, err = currentProject(ctx, env)
	if err != nil || project == "" { // Google requires a project for billing
		return "", "", errors.Join(errNoGoogle, err)
	}
	return token, project, nil
}

// currentProject returns gcloud's current project, or "" if there is none.
func currentProject(ctx context.Context, env tools.Env) (string, error) {
	project, err := gcloud(ctx, env, gcloudTime, "config", "get-value", "project")
	if err != nil || project == "(unset)" {
		return "", err
	}
	if !isProject(project) {
		return "", fmt.Errorf("gcloud names the project %q, which is not a project id", show.Line(project, 80))
	}
	return project, nil
}

// isProject reports whether id looks like a project ID. The ID may have a domain, as in
// example.com:my-project-1.
func isProject(id string) bool {
	if len(id) == 0 || len(id) > 100 || id[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != ':'
	})
}

// gcloud runs a gcloud command and returns its output. The error contains gcloud's message.
func gcloud(ctx context.Context, env tools.Env, limit time.Duration, args ...string) (string, error) {
	name := "gcloud " + strings.Join(args[:min(2, len(args))], " ")
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s took longer than %s", name, limit))
	defer cancel()
	result, err := proc.Run(ctx, proc.Command{
		Name: "gcloud", Args: args, Dir: "/", Environ: env.Environ, Limit: 16 << 10,
	})
	switch {
	case err != nil:
		return "", err
	case result.ExitCode != 0:
		said := show.Line(result.Stderr.Text(), 300)
		return "", fmt.Errorf("%s ended with %d: %s", name, result.ExitCode, said)
	}
	return strings.TrimSpace(result.Stdout.Text()), nil
}
