package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	apiURL      = "https://api.github.com/search/"
	answerLimit = 8 << 20
)

type searchArgs struct {
	Query      string `json:"query" doc:"Words and GitHub qualifiers, for example cli language:go stars:>100" alias:"q" example:"terminal assistant language:go"`
	Type       string `json:"search_type" doc:"What to find" default:"repositories" enum:"repositories,code,issues,commits,users" alias:"type"`
	MaxResults int    `json:"max_results" doc:"Maximum results" default:"10" min:"1" max:"30" alias:"limit"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "github_search",
		Keys: "a gh login, GH_TOKEN or GITHUB_TOKEN; without one, GitHub allows only a few requests and no code search",
		Doc:  "Search GitHub for repositories, code, issues, commits or users.",
		Examples: []string{
			"search github for {terminal assistant|query}",
			"search github for {issues|search_type} about {flaky tests|query}",
			"search github {users|search_type} for {torvalds|query}",
		},
		Pool: tools.Net, Service: "api.github.com",
		Run: s.search,
	})
}

// errNoLogin means that gh is installed but not logged in.
var errNoLogin = errors.New("gh is not logged in")

func (s Service) search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	in.Query = strings.Join(strings.Fields(in.Query), " ")
	if in.Query == "" {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say what to find.")
	}
	found, err := searchWithGH(ctx, env, in)
	if errors.Is(err, proc.ErrNotFound) || errors.Is(err, errNoLogin) {
		found, err = s.searchWithHTTP(ctx, env, in)
	}
	if err != nil {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		return tools.NoResults(fmt.Sprintf("GitHub has no %s for %q. Try fewer words.", in.Type, in.Query)), nil
	}
	items := lists.Map(found[:min(in.MaxResults, len(found))], func(one hit) []string { return one.lines(in.Type) })
	return tools.Output{Text: show.List(items)}, nil
}

func searchWithGH(ctx context.Context, env tools.Env, in searchArgs) ([]hit, error) {
	limit := strconv.Itoa(in.MaxResults)
	args := func(kind, fields string) []string {
		return []string{"search", kind, "--limit", limit, "--json", fields, "--", in.Query}
	}
	var command []string
	switch in.Type {
	case "code":
		command = args("code", "path,repository,url,textMatches")
	case "issues":
		command = args("issues", "title,number,state,repository,author,commentsCount,url")
	case "commits":
		command = args("commits", "sha,commit,repository,url")
	case "users": // -f encodes the query
		command = []string{"api", "--method", "GET", "search/users", "-f", "q=" + in.Query, "-F", "per_page=" + limit}
	default:
		command = args("repos", "fullName,description,stargazersCount,language,url")
	}
	result, err := proc.Run(ctx, proc.Command{Name: "gh", Args: command, Dir: "/", Environ: env.Environ, Env: ghEnv(env), Limit: answerLimit})
	if err != nil {
		return nil, fmt.Errorf("gh: %w", err)
	}
	if said := strings.TrimSpace(result.Stderr.Text()); result.ExitCode != 0 {
		if result.ExitCode == 4 || strings.Contains(said, "gh auth login") { // gh exits with 4 if nobody is logged in; see "gh help exit-codes"
			return nil, errNoLogin
		}
		return nil, tools.Advise(fmt.Errorf("gh failed (exit code %d): %s", result.ExitCode, show.Line(said, 300)), "Check the query and its qualifiers, or try again in a minute: GitHub allows 30 searches a minute.")
	}
	return decode(result.Stdout.Bytes)
}

func decode(body []byte) ([]hit, error) {
	var found []hit
	err := error(nil)
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		err = json.Unmarshal(body, &found)
	} else {
		answer := struct{ Items *[]hit }{&found}
		err = json.Unmarshal(body, &answer)
	}
	if err != nil {
		return nil, fmt.Errorf("gh did not answer with the expected JSON: %q; gh may be too old; Marvin needs version 2.7 or newer (gh --version)", show.Line(string(body[:min(len(body), 500)]), 150))
	}
	return found, nil
}

// searchWithHTTP searches with the REST API, which allows only 10 searches a minute without a
// token.
func (s Service) searchWithHTTP(ctx context.Context, env tools.Env, in searchArgs) ([]hit, error) {
	query := url.Values{"q": {in.Query}, "per_page": {strconv.Itoa(in.MaxResults)}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, apiURL+in.Type+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("ask GitHub: %w", err)
	}
	// With this media type, the reply includes the matching lines.
	request.Header.Set("Accept", "application/vnd.github.text-match+json")
	request.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	key := token(env)
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	var answer struct{ Items []hit }
	err = web.AskJSON(s.client, request, answerLimit, &answer)
	var status *web.StatusError
	if !errors.As(err, &status) {
		return answer.Items, err
	}
	const login = "Log in with \"gh auth login\", or set GITHUB_TOKEN."
	switch limited := strings.Contains(strings.ToLower(status.Message), "rate limit"); {
	case limited || status.Status == http.StatusTooManyRequests:
		return nil, tools.Advise(errors.New("too many searches on GitHub from this IP address"), "Try again in a minute. "+login+" Then 30 a minute are allowed instead of 10.")
	case status.Status == http.StatusUnauthorized && key != "":
		return nil, tools.Advise(errors.New("the token in GH_TOKEN or GITHUB_TOKEN is rejected by GitHub"), "Renew or unset it.")
	case status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden:
		return nil, tools.Advise(fmt.Errorf("a search for %s needs a login on GitHub", in.Type), login)
	case status.Status == http.StatusUnprocessableEntity:
		return nil, tools.Advise(fmt.Errorf("the query is not understood by GitHub: %s", status.Message), "Check the qualifiers, such as language:go or user:golang.")
	}
	return nil, err
}
