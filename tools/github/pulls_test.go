package github

import (
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestAPullRequestIsRead(t *testing.T) {
	g, env := plays(t)
	wants(t, said(t, env, "github_pr_list", `{}`), g.host()+"/them/tool", "1. #7 Mend the parser", "open · octocat · them:mend/it → main · 2026-01-27")
	for _, args := range []string{`{"number":"#7"}`, `{}`, `{"number":"7","repo":"them/tool"}`, `{"number":"https://` + g.host() + `/them/tool/pull/7/files"}`} {
		wants(t, said(t, env, "github_pr_view", args), "#7 Mend the parser", "+100 −3 in 5 files", "can be merged: true (clean)", "It was broken.", "‹U+202E›", "CI is green for", "all 2 checks")
	}
	wants(t, said(t, env, "github_pr_view", `{"number":"7","show":"diff"}`), "-broken\n+mended\n")
	talk := said(t, env, "github_pr_view", `{"number":"7","show":"comments"}`)
	wants(t, talk, "bob · 2026-01-27 · changes_requested\nNot yet.", "bob · 2026-01-27 · parser.go:12\nThis is never nil.", "ann · 2026-01-28\nAnd the tests?")
	if strings.Index(talk, "Not yet") > strings.Index(talk, "And the tests") || strings.Contains(talk, "commented") {
		t.Errorf("%s", talk)
	}
}

func TestAPullRequestIsMadeAndCommented(t *testing.T) {
	g, env := plays(t)
	wants(t, said(t, env, "github_pr_create", `{"title":"Mend\nit","body":"Why: {branch}"}`), "Made #8", "/pull/8")
	path, body := g.sent(t)
	if path != "/api/v3/repos/them/tool/pulls" || body["title"] != "Mend it" || body["head"] != "mend/it" || body["base"] != "main" || body["body"] != "Why: {branch}" || body["draft"] != false {
		t.Errorf("%s %v", path, body)
	}
	g.posted = nil
	wants(t, said(t, env, "github_pr_comment", `{"body":"@file {owner}"}`), "#7")
	if path, body = g.sent(t); path != "/api/v3/repos/them/tool/issues/7/comments" || body["body"] != "@file {owner}" {
		t.Errorf("%s %v", path, body)
	}
}

// A pull request from a fork is created in the repository from which it was forked.
func TestAPullRequestOfAForkGoesUpstream(t *testing.T) {
	g, env := plays(t)
	env.Dir = t.TempDir()
	g.repository(env.Dir, "git@"+strings.Split(g.host(), ":")[0]+":me/tool.git")
	_, err := call(t, env, "github_pr_list", `{}`)
	toolstest.CheckError(t, err, "the working directory has no git remote on") // the port of an ssh address is not the port of the web server
	env.Dir = t.TempDir()
	g.repository(env.Dir, "https://"+g.host()+"/me/tool")
	run(t.Context(), env, gitIn(env.Dir, "remote", "add", "upstream", "https://"+g.host()+"/them/tool"))
	said(t, env, "github_pr_create", `{"title":"Mend it"}`)
	if path, body := g.sent(t); path != "/api/v3/repos/them/tool/pulls" || body["head"] != "me:mend/it" {
		t.Errorf("%s %v", path, body)
	}
}

func TestGitHubRefusals(t *testing.T) {
	g, env := plays(t)
	const posts = "POST /api/v3/repos/them/tool/pulls"
	for body, want := range map[string]string{
		`{"message":"Validation Failed","errors":[{"resource":"PullRequest","field":"head","code":"invalid"}]}`:                                             "git push -u origin mend/it",
		`{"message":"Validation Failed","errors":[{"resource":"PullRequest","code":"custom","message":"A pull request already exists for them:mend/it."}]}`: "A pull request already exists for them:mend/it.",
		`{"message":"Validation Failed","errors":[{"resource":"PullRequest","code":"custom","message":"No commits between main and mend/it"}]}`:             "Commit the change and push it first",
	} {
		g.says(posts, 422, body)
		_, err := call(t, env, "github_pr_create", `{"title":"x"}`)
		toolstest.CheckError(t, err, want)
	}
	g.says(posts, 403, `{"message":"Resource not accessible by personal access token"}`)
	_, err := call(t, env, "github_pr_create", `{"title":"x"}`)
	toolstest.CheckError(t, err, "Resource not accessible", "gh auth refresh")
	_, err = call(t, env, "github_pr_view", `{"number":"99"}`)
	toolstest.CheckError(t, err, "GitHub has nothing with that name", "gh auth login")
	g.says("GET /api/v3/repos/them/tool/pulls/7", 403, `{"message":"API rate limit exceeded for user ID 1."}`)
	_, err = call(t, env, "github_pr_view", `{"number":"7"}`)
	toolstest.CheckError(t, err, "received too many requests")
	_, err = call(t, env, "github_pr_view", `{"number":"seven"}`)
	toolstest.CheckError(t, err, "not a pull request number")
}

func TestWithoutALoginItIsSaidHowToLogIn(t *testing.T) {
	g, env := plays(t)
	without := env
	without.Environ = removed(env.Environ, "GH_ENTERPRISE_TOKEN=")
	_, err := call(t, without, "github_pr_list", `{}`)
	toolstest.CheckError(t, err, "gh is not logged in on "+g.host(), "gh auth login --hostname "+g.host())
	wrong := env
	wrong.Environ = append(removed(env.Environ, "GH_ENTERPRISE_TOKEN="), "GH_ENTERPRISE_TOKEN=other")
	_, err = call(t, wrong, "github_pr_list", `{}`)
	toolstest.CheckError(t, err, "gh is not logged in", "gh auth login")
	none := machine(t, "")
	none.Dir = env.Dir
	none.Environ = append(none.Environ, "GH_HOST="+g.host())
	_, err = call(t, none, "github_checks", `{}`)
	toolstest.CheckError(t, err, "gh, GitHub's command-line program, is not installed", "gh auth login")
}

// A repository whose origin is on another host does not get the user's token: gh would send
// GH_ENTERPRISE_TOKEN to any host.
func TestNoOtherHostIsAsked(t *testing.T) {
	g, env := plays(t)
	env.Environ = append(removed(env.Environ, "GH_HOST="), "GH_TOKEN=S3cr3t")
	for _, args := range []string{`{}`, `{"repo":"https://` + g.host() + `/them/tool"}`} {
		_, err := call(t, env, "github_pr_list", args)
		toolstest.CheckError(t, err, "github")
	}
	if len(g.asked) > 0 {
		t.Errorf("it was asked %q", g.asked)
	}
}

func TestPublicTextIsPreviewed(t *testing.T) {
	g, env := plays(t)
	for _, tool := range New(toolstest.Client(t, nil), "").Tools() {
		if !tool.Confirms {
			continue
		}
		decoded, err := tool.Decode([]byte(`{"body":"Words","title":"Title"}`))
		if tool.Name == "github_pr_comment" {
			decoded, err = tool.Decode([]byte(`{"body":"Words"}`))
		}
		if err != nil {
			t.Fatal(err)
		}
		title, detail := decoded.Confirm(env)
		to := decoded.Destinations(env)
		if !strings.Contains(title, g.host()+"/them/tool") || !strings.Contains(detail, "Words") || len(to) != 1 || to[0].Reach != tools.Public || !strings.Contains(to[0].Payload, "Words") || tool.Effect != tools.Outside {
			t.Errorf("%s: %q, %q, %v", tool.Name, title, detail, to)
		}
	}
}
