package github

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
)

// Requests to GitHub's REST API go through gh, which has the user's login. Paths and replies are
// documented at https://docs.github.com/en/rest (version 2022-11-28).

// Media types of replies.
const (
	asJSON = "application/vnd.github+json"
	asDiff = "application/vnd.github.diff"
	asSHA  = "application/vnd.github.sha"
)

// Callers test for these errors.
var (
	errNotThere = errors.New("GitHub has nothing with that name")
	errRefused  = errors.New("GitHub refuses it")
)

// client sends requests about one repository.
type client struct {
	env tools.Env
	at  place
}

// path returns the API path of the repository, followed by the escaped parts.
func (c client) path(parts ...string) string {
	text := "repos/" + c.at.owner + "/" + c.at.name
	for _, part := range parts {
		text += "/" + url.PathEscape(part)
	}
	return text
}

func (c client) get(ctx context.Context, into any, query string, parts ...string) error {
	path := c.path(parts...)
	if query != "" {
		path += "?" + query
	}
	answer, err := c.ask(ctx, "GET", path, asJSON, nil)
	if err != nil {
		return err
	}
	return decodeAnswer(answer, into)
}

func decodeAnswer(answer []byte, into any) error {
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("gh did not answer with the expected JSON: %q; gh may be too old; Marvin needs version 2.7 or newer (gh --version)", show.Line(string(answer[:min(len(answer), 500)]), 150))
	}
	return nil
}

func (c client) post(ctx context.Context, path string, body, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	answer, err := c.ask(ctx, "POST", path, asJSON, encoded)
	if err != nil {
		return err
	}
	return decodeAnswer(answer, into)
}

func (c client) ask(ctx context.Context, method, path, accept string, body []byte) ([]byte, error) {
	command := c.command("api", "--method", method, "-H", "Accept: "+accept, "-H", "X-GitHub-Api-Version: 2022-11-28")
	if body != nil {
		command.Args, command.Stdin = append(command.Args, "--input", "-"), string(body)
	}
	command.Args = append(command.Args, path)
	result, err := proc.Run(ctx, command)
	if err != nil {
		return nil, c.noGH(err)
	}
	if result.ExitCode != 0 {
		return nil, c.ghError(result)
	}
	return result.Stdout.Bytes, nil
}

// command returns a gh command for the repository's host. The command runs in a directory that no
// project can write to.
func (c client) command(args ...string) proc.Command {
	set := append(ghEnv(c.env), "GH_HOST="+c.at.host)
	if c.at.host != publicHost {
		for _, name := range []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"} {
			if value := c.env.Variable(name); value != "" {
				set = append(set, name+"="+value)
			}
		}
	}
	return proc.Command{Name: "gh", Args: args, Dir: "/", Environ: c.env.Environ, Env: set, Limit: answerLimit}
}

func (c client) noGH(err error) error {
	if errors.Is(err, proc.ErrNotFound) {
		return tools.Advise(errors.New("gh, GitHub's command-line program, is not installed"), "Ask the user to install it (https://cli.github.com) and to log in: gh auth login.")
	}
	return fmt.Errorf("gh: %w", err)
}

// ghError explains why gh failed, and says what to do next.
func (c client) ghError(result proc.Result) error {
	said := show.Line(result.Stderr.Text(), 300)
	var answer struct {
		Message string `json:"message"`
		Errors  []any  `json:"errors"`
	}
	_ = json.Unmarshal(bytes.TrimSpace(result.Stdout.Bytes), &answer)
	why := cmp.Or(show.Line(answer.Message+" "+strings.Join(details(answer.Errors), "; "), 400), strings.TrimPrefix(said, "gh: "))
	login := "gh auth login"
	if c.at.host != publicHost {
		login += " --hostname " + c.at.host
	}
	lower := strings.ToLower(said + " " + why)
	switch {
	case result.ExitCode == 4, strings.Contains(said, "gh auth login"), strings.Contains(said, "HTTP 401"): // 4 means no login; see "gh help exit-codes"
		return tools.Advise(fmt.Errorf("%w on %s", errNoLogin, c.at.host), "Ask the user to run: %s", login)
	case strings.Contains(lower, "rate limit"), strings.Contains(said, "HTTP 429"):
		return tools.Advise(fmt.Errorf("GitHub received too many requests: %s", why), "Try again in a few minutes.")
	case strings.Contains(said, "HTTP 404"):
		return tools.Advise(fmt.Errorf("%w in %s: %s", errNotThere, c.at, why), "Check the number and the name; for a private repository, log in with an account that may see it: %s", login)
	case strings.Contains(said, "HTTP 403"):
		return tools.Advise(fmt.Errorf("%w: %s", errRefused, why), "This login probably lacks a permission. \"gh auth status\" shows its permissions; \"gh auth refresh\" requests more.")
	case strings.Contains(said, "HTTP 422"), strings.Contains(said, "HTTP 409"):
		return fmt.Errorf("%w: %s", errRefused, why)
	case strings.Contains(said, "HTTP 5"):
		return tools.Advise(fmt.Errorf("GitHub has a problem: %s", why), "Try again in a minute.")
	}
	return tools.Advise(fmt.Errorf("gh failed (exit code %d): %s", result.ExitCode, why), "Check the network connection, run \"gh auth status\", or try again in a minute.")
}

// details returns the messages of up to five errors. An error is a string or an object.
func details(list []any) (texts []string) {
	for _, one := range list[:min(len(list), 5)] {
		switch of := one.(type) {
		case string:
			texts = append(texts, of)
		case map[string]any:
			if text, ok := of["message"].(string); ok && text != "" {
				texts = append(texts, text)
				continue
			}
			field, _ := of["field"].(string)
			code, _ := of["code"].(string)
			texts = append(texts, strings.TrimSpace(field+" "+code))
		}
	}
	return texts
}
