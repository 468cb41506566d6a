package tickets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// project is a directory with tickets, whose tools are called like by a model.
type project struct {
	t     *testing.T
	dir   string
	env   tools.Env
	tools map[string]tools.Tool
}

func newProject(t *testing.T) *project {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "marvin-test_tool")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, dir: dir, tools: map[string]tools.Tool{}, env: tools.Env{
		Dir: dir, Seen: &tools.Stamps{}, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"},
		Now: func() time.Time { return time.Date(2026, 2, 18, 11, 41, 30, 0, time.FixedZone("", 7200)) },
	}}
	p.write("../.gitconfig", "[user]\n\tname = kmd\n")
	for _, tool := range New().Tools() {
		p.tools[tool.Name] = tool
	}
	return p
}

func (p *project) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	p.t.Helper()
	content, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(content)
}

// ticket writes a ticket with this id and these front matter lines.
func (p *project) ticket(id, status, deps, more string) {
	p.write(".tickets/"+id+".md", "---\nid: "+id+"\nstatus: "+status+"\ndeps: ["+deps+"]\nlinks: []\n"+more+"---\n# The "+id+"\n\nText\n")
}

func (p *project) call(name string, args map[string]any) string {
	p.t.Helper()
	encoded, err := json.Marshal(args)
	if err != nil {
		p.t.Fatal(err)
	}
	call, err := p.tools[name].Decode(encoded)
	var output tools.Output
	if err == nil {
		output, err = call.Run(p.t.Context(), p.env)
	}
	if err != nil {
		return "Error: " + err.Error()
	}
	return output.Text
}

func (p *project) expect(name string, args map[string]any, want string) {
	p.t.Helper()
	got := p.call(name, args)
	beginning, open := strings.CutSuffix(want, "…")
	if got != want && (!open || !strings.HasPrefix(got, beginning)) {
		p.t.Errorf("%s %v:\n%s\nwant\n%s", name, args, got, want)
	}
}

type in = map[string]any

// The file must be equal to the output of `tk create` of github.com/wedow/ticket (script "ticket",
// function cmd_create).
func TestCreatedTicketIsAFileOfTk(t *testing.T) {
	p := newProject(t)
	p.ticket("mtt-aaaa", "open", "", "")
	got := p.call("create_ticket", in{"title": " Fix\nthe login ", "description": "Two lines\r\nof text", "type": "BUG", "priority": 9, "tags": "security, [web]", "parent": "aaaa"})
	match := regexp.MustCompile(`^Created (mtt-[a-z2-7]{4})\n\n`).FindStringSubmatch(got)
	if match == nil {
		t.Fatal(got)
	}
	want := "---\nid: " + match[1] + "\nstatus: open\ndeps: []\nlinks: []\ncreated: 2026-02-18T09:41:30Z\ntype: bug\npriority: 4\nassignee: kmd\nparent: mtt-aaaa\ntags: [security, web]\n" +
		"---\n# Fix the login\n\nTwo lines\nof text\n\n"
	if file := p.read(".tickets/" + match[1] + ".md"); file != want || got != match[0]+want {
		t.Errorf("%s\nwant\n%s", file, want)
	}
	p.expect("create_ticket", in{"title": "x y", "parent": "zzz"}, "Error: parent: there is no ticket \"zzz\"…")
}

func TestCapturedShellOutputIsNoTitle(t *testing.T) {
	p := newProject(t)
	for _, title := range []string{"", " \n", "EC=0", "42", "--help"} {
		p.expect("create_ticket", in{"title": title}, "Error: …")
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".tickets")); err == nil {
		t.Error("a directory was made for nothing")
	}
}

// tk edits all lines that begin with the name of a field, and treats every --- as the end of the
// front matter.
func TestTextNeverLooksLikeFrontMatter(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "", "")
	p.expect("ticket_add_note", in{"id": "m-1", "note": "status: closed\n---\ndeps: [x]\nDone: yes"}, "Note added to m-1")
	if got := p.read(".tickets/m-1.md"); !strings.HasSuffix(got, "\nText\n\n## Notes\n\n**2026-02-18T09:41:30Z**\n\n status: closed\n ---\n deps: [x]\nDone: yes\n") {
		t.Errorf("%q", got)
	}
	text := p.call("create_ticket", in{"title": "status: open", "description": "id: x\n---"})
	if !strings.HasSuffix(text, "---\n# status: open\n\n id: x\n ---\n\n") {
		t.Errorf("%q", text)
	}
}

func TestAChangeKeepsEveryOtherByte(t *testing.T) {
	p := newProject(t)
	before := "---\r\nid: m-1\r\nstatus: open\r\ndeps: []\r\nx-mine:  keep \r\n---\r\n# T\r\n\r\nstatus: in the text\r\n"
	p.write(".tickets/m-1.md", before)
	p.expect("ticket_start", in{"ticket_id": "m-1"}, "Updated m-1 -> in_progress")
	if got := p.read(".tickets/m-1.md"); got != strings.Replace(before, "status: open", "status: in_progress", 1) {
		t.Errorf("%q", got)
	}
	p.write(".tickets/m-2.md", "---\nid: m-2\n---\n# No status")
	p.expect("ticket_close", in{"ticket_id": "2"}, "Updated m-2 -> closed")
	if got := p.read(".tickets/m-2.md"); got != "---\nstatus: closed\nid: m-2\n---\n# No status" {
		t.Errorf("%q", got)
	}
	p.expect("ticket_add_note", in{"id": "m-2", "note": "a"}, "Note added to m-2")
	p.expect("ticket_add_note", in{"id": "m-2", "note": "b"}, "Note added to m-2")
	if got := p.read(".tickets/m-2.md"); strings.Count(got, "## Notes") != 1 || !strings.HasSuffix(got, "\n\na\n\n**2026-02-18T09:41:30Z**\n\nb\n") {
		t.Errorf("%q", got)
	}
}

func TestTicketsAreFoundByAnyPartThatIsUnique(t *testing.T) {
	p := newProject(t)
	p.ticket("m-ab1", "open", "", "")
	p.ticket("m-ab2", "open", "", "")
	p.ticket("m-ab", "open", "", "")
	for part, want := range map[string]string{
		"b2": "Updated m-ab2 -> closed", "m-ab": "Updated m-ab -> closed", "m-ab1.md": "Updated m-ab1 -> closed",
		"ab":       "Error: \"ab\" matches the IDs of 3 tickets\nGive one of these: m-ab, m-ab1, m-ab2.",
		"m-xb2":    "Error: there is no ticket \"m-xb2\" in " + p.dir + "/.tickets\nClose IDs: m-ab2…",
		"../m-ab1": "Error: there is no ticket…", " ": "Error: the ticket's ID is empty…",
	} {
		p.expect("ticket_close", in{"ticket_id": part}, want)
	}
}

func TestTicketsAreLookedForUpwardAndMadeHere(t *testing.T) {
	p := newProject(t)
	p.expect("ticket_list", in{}, "There are no tickets. Make one with create_ticket.")
	p.expect("ticket_show", in{"ticket_id": "x"}, "Error: there are no tickets in or above "+p.dir+"\nMake one with create_ticket.")
	p.ticket("m-1", "open", "", "")
	p.write("deep/er/file", "")
	p.env.Dir = filepath.Join(p.dir, "deep/er")
	p.expect("ticket_list", in{}, "m-1      [open] - The m-1")
	p.env.Environ = append(p.env.Environ, "TICKETS_DIR=own")
	p.expect("ticket_list", in{}, "There are no tickets. Make one with create_ticket.")
	p.call("create_ticket", in{"title": "Here now"})
	if made, _ := filepath.Glob(filepath.Join(p.dir, "deep/er/own/er*.md")); len(made) != 1 {
		t.Errorf("made %v", made)
	}
	p.env.Dir, p.env.Environ = "", []string{"PWD=" + p.dir}
	p.expect("ticket_list", in{}, "m-1      [open] - The m-1")
	p.env.Environ = nil
	p.expect("ticket_list", in{}, "Error: no working directory is set…")
}

func TestTicketsAreNoLinkOutOfTheProject(t *testing.T) {
	p, outside := newProject(t), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(p.dir, ".tickets")); err != nil {
		t.Fatal(err)
	}
	p.expect("create_ticket", map[string]any{"title": "made"}, "Error: open directory "+filepath.Join(p.dir, ".tickets")+"…")
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestListShowsTheUrgentFirstAndFilters(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "m-2, m-3", "priority: 3\ntags: [Web, b]\n")
	p.ticket("m-2", "in_progress", "", "priority: 0\n")
	p.ticket("m-3", "closed", "", "")
	p.write(".tickets/readme.md", "# not a ticket\n")
	p.expect("ticket_list", in{}, "m-2      [in_progress] - The m-2\nm-3      [closed] - The m-3\nm-1      [open] - The m-1 <- [m-2, m-3]")
	p.expect("ticket_list", in{"status": "open"}, "m-1      [open] - The m-1 <- [m-2, m-3]")
	p.expect("ticket_list", in{"tag": "#web"}, "m-1      [open] - The m-1 <- [m-2, m-3]")
	p.expect("ticket_list", in{"tags": "x"}, "None of 3 tickets matches.")
	p.expect("ticket_list", in{"status": "done"}, "Error: …")
	if err := os.Mkdir(filepath.Join(p.dir, ".tickets/odd.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.expect("ticket_list", in{"status": "closed"}, "m-3      [closed] - The m-3\nNote: Marvin could not read odd.md")
}

func TestShowTellsWhatBelongsToATicket(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "m-2, m-3, m-9", "")
	p.ticket("m-2", "closed", "", "")
	p.ticket("m-3", "open", "", "parent: m-1  # a comment of tk\n")
	p.ticket("m-4", "open", "m-1", "")
	p.write(".tickets/m-1.md", strings.Replace(p.read(".tickets/m-1.md"), "links: []", "links: [m-4]", 1))
	want := "\n\nText\n\n## Blockers\n\n- m-3 [open] The m-3\n- m-9 [missing]\n\n## Blocking\n\n- m-4 [open] The m-4\n\n## Children\n\n- m-3 [open] The m-3\n\n## Linked\n\n- m-4 [open] The m-4\n"
	if got := p.call("ticket_show", in{"ticket_id": "m-1"}); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestCyclesAreRefusedAndShown(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "", "")
	p.ticket("m-2", "open", "", "")
	p.ticket("m-3", "open", "m-4", "")
	p.ticket("m-4", "open", "m-3", "")
	p.expect("ticket_add_dep", in{"ticket_id": "m-1", "depends_on": "m-1"}, "Error: m-1 cannot wait for m-1, because it would then wait for itself (m-1 -> m-1)…")
	p.expect("ticket_add_dep", in{"ticket_id": "m-1", "depends_on": "m-2"}, "Added dependency: m-1 -> m-2")
	p.expect("ticket_add_dep", in{"ticket_id": "m-1", "depends_on": "2"}, "m-1 depends on m-2 already")
	p.expect("ticket_add_dep", in{"ticket_id": "m-1", "depends_on": "m-3"}, "Added dependency: m-1 -> m-3")
	p.expect("ticket_add_dep", in{"ticket_id": "m-2", "depends_on": "m-1"}, "Error: m-2 cannot wait for m-1, because it would then wait for itself (m-2 -> m-1 -> m-2)…")
	if got := p.read(".tickets/m-1.md"); !strings.Contains(got, "\ndeps: [m-2, m-3]\n") {
		t.Error(got)
	}
	p.expect("ticket_dep_tree", in{}, "m-1 [open] The m-1\n├── m-2 [open] The m-2\n└── m-3 [open] The m-3\n    └── m-4 [open] The m-4\n        └── m-3 [open] The m-3 (a cycle)")
	p.expect("ticket_dep_tree", in{"ticket_id": "m-4"}, "m-4 [open] The m-4\n└── m-3 [open] The m-3\n    └── m-4 [open] The m-4 (a cycle)")
}

func TestTreeOfManyDiamondsStaysSmall(t *testing.T) {
	p := newProject(t)
	for i := range 25 {
		next := string(rune('a' + i + 1))
		p.ticket("l"+string(rune('a'+i)), "open", "l"+next+", r"+next, "")
		p.ticket("r"+string(rune('a'+i)), "open", "l"+next+", r"+next, "")
	}
	got := p.call("ticket_dep_tree", in{"ticket_id": "la"})
	if lines := strings.Count(got, "\n"); lines > 110 || !strings.Contains(got, "(see above)") {
		t.Errorf("%d lines", lines)
	}
}

func TestConcurrentChangesAllArrive(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "", "")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			p.expect("ticket_add_note", in{"ticket_id": "m-1", "note": "note " + string(rune('0'+i))}, "Note added to m-1")
		})
	}
	group.Wait()
	if got := strings.Count(p.read(".tickets/m-1.md"), "\nnote "); got != 8 {
		t.Errorf("%d notes of 8", got)
	}
}
