package address

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/artifacts"
	"marvin/tools"
)

// Source is the resource at an address. The caller must close the Source.
type Source struct {
	io.ReadCloser
	Name    string // the name in errors and notices
	Size    int64  // in bytes; -1 if unknown
	Foreign bool   // the content is untrusted, for example from an MCP server
	// Members contains the names of a container's members: archived files, tables or manual pages.
	// [Address.Within] returns a member's address.
	Members []string
}

// Address is a path to a resource that is not a file.
type Address struct {
	Text        string // the address without the line range
	Scheme      string // for example "artifact" or "mcp"; "" for a member of a file
	Rest        string // the part after the scheme, or after "!/"
	File        string // the file that contains the member; "" if there is a scheme
	First, Last int    // the line range, or zeros; Last is also 0 if the range has no end
}

// schemePattern matches an address that begins with a scheme, such as "artifact:7". A file with
// that name can be given as "./artifact:7".
var schemePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(artifact|agent|history|doc|skill|mcp):(.*?)(?::(\d+)(-(\d*))?)?$`)
})

// memberSeparator is the separator between a file and its member, as in x.zip!/a/b.
const memberSeparator = "!/"

// Parse parses a path that is an address. It returns false for other paths.
func Parse(path string) (Address, bool) {
	if file, member, ok := strings.Cut(path, memberSeparator); ok && file != "" {
		return Address{Text: path, File: file, Rest: member}, true
	}
	if !strings.Contains(path, ":") {
		return Address{}, false
	}
	found := schemePattern().FindStringSubmatch(strings.TrimSpace(path))
	if found == nil {
		return Address{}, false
	}
	at := Address{Scheme: found[1], Rest: strings.TrimPrefix(found[2], "//"), Text: found[1] + ":" + found[2]}
	at.First, _ = strconv.Atoi(found[3]) // digits or nothing
	if at.Last, _ = strconv.Atoi(found[5]); found[4] == "" {
		at.Last = at.First
	}
	return at, true
}

// Whole returns the address of the whole container, without member or range.
func (a Address) Whole() Address {
	a.Rest, a.First, a.Last = "", 0, 0
	a.Text = a.Within("")
	return a
}

// Within returns the address that results from replacing a.Rest with member.
func (a Address) Within(member string) string {
	if a.Scheme == "" {
		return a.File + memberSeparator + member
	}
	return a.Scheme + ":" + member
}

// Open opens the resource at the address. If the resource does not exist, the error says which
// resources exist.
func (a Address) Open(ctx context.Context, env tools.Env) (Source, error) {
	switch a.Scheme {
	case "artifact":
		return a.artifact(env)
	case "agent":
		return a.agent(env)
	case "history":
		return a.history(ctx, env)
	case "doc":
		return a.page(env)
	case "skill":
		return a.skill(env)
	case "mcp":
		return a.resource(ctx, env)
	}
	dir, err := env.Open()
	if err != nil {
		return Source{}, err
	}
	defer func() { _ = dir.Close() }()
	file, err := dir.Open(a.File)
	if err != nil {
		return Source{}, err
	}
	source, err := a.member(ctx, env, dir, file)
	if err != nil {
		_ = file.Close()
		return Source{}, err
	}
	source.Name = a.Text
	return source, nil
}

func (a Address) artifact(env tools.Env) (Source, error) {
	number, err := strconv.Atoi(strings.TrimSpace(a.Rest))
	if err != nil {
		return Source{}, tools.Advise(fmt.Errorf("%q is not an artifact number", a.Rest), "%s", artifactList(env.Artifacts))
	}
	file, kept, err := env.Artifacts.Open(number)
	switch {
	case errors.Is(err, artifacts.ErrGone):
		return Source{}, tools.Advise(fmt.Errorf("%s: %w", a.Text, artifacts.ErrGone), "Run the call that produced it again, with less output. %s", artifactList(env.Artifacts))
	case err != nil:
		return Source{}, tools.Advise(fmt.Errorf("%s: %w", a.Text, err), "%s", artifactList(env.Artifacts))
	}
	return Source{ReadCloser: file, Name: a.Text, Size: kept.Size, Foreign: kept.Foreign}, nil
}

func (a Address) agent(env tools.Env) (Source, error) {
	kept, ok := env.Artifacts.Find("agent:" + a.Rest)
	if !ok {
		return Source{}, tools.Advise(fmt.Errorf("this conversation has no report from a sub-agent called %q", a.Rest), "%s", artifactList(env.Artifacts))
	}
	file, _, err := env.Artifacts.Open(kept.Number)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", a.Text, err)
	}
	return Source{ReadCloser: file, Name: a.Text, Size: kept.Size, Foreign: kept.Foreign}, nil
}

func artifactList(artifacts *artifacts.Store) string {
	all := artifacts.List()
	if len(all) == 0 {
		return "This conversation has no artifacts, because every output so far was shown in full."
	}
	var names []string
	for i := len(all) - 1; i >= 0 && len(names) < 20; i-- {
		name := tools.ArtifactAddress(all[i].Number)
		if all[i].Name != "" {
			name += " = " + all[i].Name
		}
		size := messages.Counted(all[i].Lines, "line")
		if all[i].Media != "" {
			size = all[i].Media + ", " + messages.Counted(all[i].Size, "byte")
		}
		names = append(names, fmt.Sprintf("%s (%s, %s)", name, all[i].Tool, size))
	}
	return "There are: " + tools.Visible(strings.Join(names, ", ")) + "."
}

func (a Address) history(ctx context.Context, env tools.Env) (Source, error) {
	if env.History == nil {
		return Source{}, errors.New("there is no conversation here, so there are no turns to read")
	}
	number, err := strconv.Atoi(strings.TrimSpace(a.Rest))
	if err != nil {
		number = 0
	}
	text, turns, err := env.History(ctx, number)
	if err != nil {
		return Source{}, err
	}
	if text == "" {
		return Source{}, tools.Advise(fmt.Errorf("%s: there is no such turn", a.Text), "The conversation has %d turns that can be read: history:1 to history:%d.", turns, turns)
	}
	return textSource(a.Text, text), nil
}

// page returns a page of the manual for "doc:PAGE", or the list of pages for "doc:".
func (a Address) page(env tools.Env) (Source, error) {
	if env.Manual == nil {
		return Source{}, errors.New("there is no manual here")
	}
	name := strings.TrimSuffix(strings.ToLower(strings.Trim(a.Rest, "/ ")), ".md")
	if name != "" {
		if text, err := fs.ReadFile(env.Manual, name+".md"); err == nil {
			return textSource(a.Text, string(text)), nil
		}
	}
	names, err := fs.Glob(env.Manual, "*.md")
	if err != nil {
		return Source{}, err
	}
	var list strings.Builder
	for _, one := range names {
		text, err := fs.ReadFile(env.Manual, one)
		if err != nil {
			return Source{}, err
		}
		heading, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		fmt.Fprintf(&list, "doc:%s  %s\n", strings.TrimSuffix(one, ".md"), heading)
	}
	if name != "" {
		return Source{}, tools.Advise(fmt.Errorf("the manual has no page %q", name), "Its pages:\n%s", list.String())
	}
	source := textSource("doc:", "Marvin's manual. Its pages:\n"+list.String())
	source.Members = lists.Map(names, func(one string) string { return strings.TrimSuffix(one, ".md") })
	return source, nil
}

// skill returns the text of a skill for "skill:NAME", the text of a file for "skill:NAME/FILE", or
// the list of skills for "skill:".
func (a Address) skill(env tools.Env) (Source, error) {
	if env.Skill == nil {
		return Source{}, errors.New("skills can be read only in a conversation, and no conversation is open here")
	}
	name, file, _ := strings.Cut(strings.Trim(a.Rest, "/ "), "/")
	text, err := env.Skill(name, file)
	if err != nil {
		return Source{}, err
	}
	return textSource(a.Text, text), nil
}

// resource obtains the list of an MCP server's resources for "mcp:SERVER", or one resource for
// "mcp:SERVER/ADDRESS".
func (a Address) resource(ctx context.Context, env tools.Env) (Source, error) {
	if env.Resource == nil {
		return Source{}, errors.New("there is no MCP server here")
	}
	server, uri, _ := strings.Cut(a.Rest, "/")
	text, err := env.Resource(ctx, server, uri)
	if err != nil {
		return Source{}, err
	}
	source := textSource(a.Text, text)
	source.Foreign = true
	return source, nil
}

func textSource(name, text string) Source {
	return Source{ReadCloser: io.NopCloser(strings.NewReader(text)), Name: name, Size: int64(len(text))}
}
