package actors_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/agents"
	"marvin/tools/files"
	"marvin/tools/skills"
)

// asking is a model that makes the call in a prompt of the form "TOOL key=value", and answers with
// its result.
func asking(request modeltest.Request) modeltest.Step {
	if request.Last().Role == messages.Tool {
		return modeltest.Text(request.Last().Result.Text)
	}
	words := strings.Fields(prompted(request))
	if len(words) < 2 || !strings.Contains(words[1], "=") {
		return modeltest.Text("heard " + prompted(request))
	}
	args := map[string]string{}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		args[key] = value
	}
	return modeltest.Calls(modeltest.Call{Name: words[0], Args: args})
}

func asker(t *testing.T, home, dir string, person bool) (*actorstest.Tree, *modeltest.Server) {
	t.Helper()
	server := modeltest.StartFunc(t, asking)
	all := append(append(files.Tools(), skills.Tools()...), agents.New(nil, nil).Tools()...)
	return actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: all, Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: person},
	}), server
}

func TestASkillIsALineUntilItIsRead(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{
		".claude/skills/deploy/SKILL.md":  "---\nname: deploy\ndescription: how we ship\n---\nthe-body runs scripts/ship.sh",
		".claude/skills/deploy/more.md":   "the-rest",
		".claude/skills/hidden/SKILL.md":  "---\ndescription: secret\ndisable-model-invocation: true\n---\nx",
		".marvin/skills/mine/SKILL.md":    "---\ndescription: of the project\n---\nproject-body",
		".marvin/skills/deploy2/SKILL.md": "---\nname: ../evil\ndescription: x\n---\nx",
	})
	bring(t, home, map[string]string{".config/marvin/skills/mine/SKILL.md": "---\ndescription: of the user\n---\nuser-body"})
	tree, server := asker(t, home, dir, true)
	asked, _ := answer(tree, "hello", messages.Yes)
	if !strings.Contains(asked.Detail, ".claude/skills/deploy/SKILL.md") || strings.Contains(asked.Detail, ".config") {
		t.Errorf("asked %q", asked.Detail)
	}
	system := server.Requests()[0].Messages[0].Text
	if !strings.Contains(system, "- deploy: how we ship") || !strings.Contains(system, "- mine: of the user") || strings.Contains(system, "the-body") || strings.Contains(system, "secret") || strings.Contains(system, "evil") {
		t.Errorf("the model hears %q", system)
	}
	for prompt, want := range map[string]string{
		"read_skill name=deploy": "the-body", "read_skill name=deploy file=more.md": "the-rest", "read_skill name=mine": "user-body",
		"read_skill name=deploy file=../../../.git": "not in the skill", "read_skill name=deploy file=/etc/passwd": "not in the skill", "read_skill name=none": "There are mine, deploy",
		"read_file path=skill:deploy": "the-body", "read_file path=skill:deploy/more.md": "the-rest", "read_file path=skill:deploy start_line=3 end_line=3": "3. the-body", "read_file path=skill:mine": "user-body",
		"read_file path=skill:deploy/../../../AGENTS.md": "not in the skill", "read_file path=skill:none": "There are mine, deploy",
	} {
		if turn := tree.Prompt(prompt); !strings.Contains(turn.Ended.Text, want) {
			t.Errorf("%s: %s", prompt, turn.Ended.Text)
		}
	}
	list := tree.Prompt("read_file path=skill:").Ended.Text
	if !strings.Contains(list, "skill:deploy: how we ship") || !strings.Contains(list, "skill:mine: of the user") || strings.Contains(list, "hidden") || strings.Contains(list, "evil") {
		t.Errorf("the list of skills: %s", list)
	}
	// A change after consent invalidates the consent.
	bring(t, dir, map[string]string{".claude/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: how we ship\n---\nswapped"})
	server2 := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role != messages.Tool { // after the files were read, before the call
			bring(t, dir, map[string]string{".marvin/skills/late/SKILL.md": "---\ndescription: late\n---\nlate-body"})
			return modeltest.Calls(
				modeltest.Call{Name: "read_skill", Args: map[string]string{"name": "late"}},
				modeltest.Call{Name: "read_file", Args: map[string]string{"path": "skill:late"}},
				modeltest.Call{Name: "read_file", Args: map[string]string{"path": "skill:"}})
		}
		var results []string
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				results = append(results, message.Result.Text)
			}
		}
		return modeltest.Text(strings.Join(results, "\n"))
	})
	late := actorstest.Start(t, actorstest.Setup{Server: server2, Tools: append(files.Tools(), skills.Tools()...), Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: true}})
	if _, text := answer(late, "go", messages.Yes); strings.Contains(text, "late-body") || strings.Count(text, "never agreed") != 2 || strings.Contains(text, "skill:late: late") {
		t.Errorf("a skill without consent: %s", text)
	}
}

// The tool that reads skills is offered with the first request if there are skills, the user's own
// or those of the project, and otherwise not.
func TestTheToolThatReadsSkillsComesWithThem(t *testing.T) {
	const skill = "---\ndescription: how we ship\n---\nship"
	for name, test := range map[string]struct {
		mine, theirs map[string]string
		offered      bool
	}{
		"none":          {nil, map[string]string{"README.md": "x"}, false},
		"mine":          {map[string]string{".config/marvin/skills/ship/SKILL.md": skill}, map[string]string{"README.md": "x"}, true},
		"the project's": {nil, map[string]string{".claude/skills/ship/SKILL.md": skill}, true},
	} {
		server, home := modeltest.StartFunc(t, asking), t.TempDir()
		bring(t, home, test.mine)
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Tools: append(many(), skills.Tools()...), Find: true, Dir: inRepository(t, test.theirs), Home: home, Policy: &actors.Policy{Coding: true, Person: true},
		})
		tree.Client.Send(messages.Say("hello"))
		for ended := false; !ended; {
			switch event := actorstest.ReadUntil[messages.Event](tree).(type) {
			case messages.Asked:
				tree.Client.Send(messages.Answer{Ask: event.Ask, Choice: messages.Yes})
			case messages.TurnEnded:
				ended = true
			}
		}
		if offered := strings.Contains(toolsOf(t, server.Requests()[0].Raw), `"read_skill"`); offered != test.offered {
			t.Errorf("%s: offered %v", name, offered)
		}
	}
}

func TestWith300SkillsEveryNameIsThere(t *testing.T) {
	home, all := t.TempDir(), map[string]string{}
	for i := range 300 {
		all[fmt.Sprintf(".claude/skills/skill-%d/SKILL.md", i)] = fmt.Sprintf("---\nname: skill-%d\ndescription: %s\n---\nbody", i, strings.Repeat("what it does ", 20))
	}
	dir := inRepository(t, all)
	tree, server := asker(t, home, dir, false)
	tree.Prompt("hello")
	system := server.Requests()[0].Messages[0].Text
	for i := range 300 {
		if !strings.Contains(system, fmt.Sprintf("- skill-%d: what it does", i)) {
			t.Fatalf("skill-%d is missing", i)
		}
	}
	if len(system) > 24<<10 {
		t.Errorf("%d bytes", len(system))
	}
	if part := windowOf(t, tree)["skill skill-7"]; part.State != "shortened" || !strings.Contains(part.Why, "27 of 259 bytes") || part.Tokens == 0 {
		t.Errorf("%+v", part)
	}
}

func TestAKindOfSubAgentOnlyTakesAway(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{
		".claude/agents/looker.md": "---\nname: looker\ndescription: looks around\ntools: Read, Grep\npolicy: read-only\nmodel: sonnet\n---\nYou only look.",
	})
	tree, server := asker(t, home, dir, false)
	turn := tree.Prompt("launch_agent agent=looker prompt=look")
	if !strings.Contains(turn.Ended.Text, "heard You are looker. You only look.") {
		t.Errorf("%s", turn.Ended.Text)
	}
	requests := server.Requests()
	if system := requests[0].Messages[0].Text; !strings.Contains(system, "- looker: looks around") {
		t.Error("the model does not know of it")
	}
	var names []string
	for _, tool := range requests[1].Tools {
		names = append(names, tool.Name)
	}
	if strings.Join(names, " ") != "read_file" {
		t.Errorf("it has %v", names)
	}
	if turn := tree.Prompt("launch_agent agent=nobody prompt=look"); !strings.Contains(turn.Ended.Text, "There are looker") {
		t.Errorf("%s", turn.Ended.Text)
	}
}
