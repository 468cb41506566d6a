package tickets

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"marvin/tools"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/proc"
)

type createArgs struct {
	Title       string   `json:"title" doc:"What to do, in one line" example:"Fix the login page"`
	Description string   `json:"description" doc:"Details, in Markdown" default:"" alias:"body,text"`
	Type        string   `json:"ticket_type" doc:"Kind of work" enum:"bug,feature,task,epic,chore" default:"task" alias:"type,kind"`
	Priority    int      `json:"priority" doc:"Priority; 0 is the highest" default:"2" min:"0" max:"4"`
	Tags        []string `json:"tags,omitempty" doc:"Tags, as a list or as one comma-separated string" alias:"tag,labels"`
	Parent      string   `json:"parent" doc:"ID of the parent ticket" default:"" alias:"parent_id"`
}

func (s *Service) createTool() tools.Tool {
	return tools.New(tools.Def[createArgs]{
		Name:   "create_ticket",
		Effect: tools.Writes,
		Doc:    "Create a ticket in the project's .tickets directory. Returns its ID and text.",
		Examples: []string{
			"create a ticket {Fix the login page|title}",
			"open a {bug|ticket_type} ticket: {Fix the login page|title}",
			"make a ticket {Fix the login page|title} with priority {1|priority}",
		},
		Access: tools.Exclusive, Pool: tools.Proc,
		Run: func(ctx context.Context, env tools.Env, in createArgs) (tools.Output, error) {
			return s.create(ctx, env, draft{
				title: in.Title, description: in.Description, kind: in.Type, priority: in.Priority, tags: in.Tags, parent: in.Parent,
			})
		},
	})
}

// draft is a ticket that has not been created yet. Only the tk tool sets the last four fields. If
// the assignee is missing, [Service.create] fills in the user name that is configured in git.
type draft struct {
	title, description, kind, parent       string
	priority                               int
	tags                                   []string
	design, acceptance, assignee, external string
}

func (s *Service) create(ctx context.Context, env tools.Env, d draft) (tools.Output, error) {
	if d.title = value(d.title); !isTitle(d.title) {
		return tools.Output{}, tools.Advise(fmt.Errorf("%q is not a title", d.title), "Say in a few words what to do, such as: Fix the login page.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, err := open(env, true)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	if d.parent != "" {
		parent, err := dir.find(d.parent)
		if err != nil {
			return tools.Output{}, fmt.Errorf("parent: %w", err)
		}
		d.parent = parent.id
	}
	if d.assignee == "" {
		d.assignee = userName(ctx, env, dir.base)
	}
	for range 20 {
		id := newID(filepath.Base(dir.base))
		content := d.file(id, env.Now())
		batch := dir.Batch()
		if err = batch.Create(id+".md", []byte(content)); err == nil {
			_, err = edit.Write(ctx, env, batch)
		}
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return tools.Output{}, err
		}
		return tools.Output{Text: "Created " + id + "\n\n" + content}, nil
	}
	return tools.Output{}, fmt.Errorf("no free ticket ID: %w", err)
}

// isTitle reports whether a title is plausible. Faulty scripts have passed "" and "EC=0" as titles.
func isTitle(title string) bool {
	assignment := strings.Contains(title, "=") && !strings.Contains(title, " ")
	return strings.ContainsFunc(title, unicode.IsLetter) && !assignment && !strings.HasPrefix(title, "-")
}

// file returns the draft in tk's file format.
func (d draft) file(id string, now time.Time) string {
	var out strings.Builder
	fmt.Fprintf(&out, "---\nid: %s\nstatus: open\ndeps: []\nlinks: []\ncreated: %s\ntype: %s\npriority: %d\n", id, stamp(now), d.kind, d.priority)
	for _, field := range [][2]string{{"assignee", value(d.assignee)}, {"external-ref", value(d.external)}, {"parent", d.parent}} {
		if field[1] != "" {
			fmt.Fprintf(&out, "%s: %s\n", field[0], field[1])
		}
	}
	if tags := tagList(d.tags); len(tags) > 0 {
		fmt.Fprintf(&out, "tags: [%s]\n", strings.Join(tags, ", "))
	}
	fmt.Fprintf(&out, "---\n# %s\n\n", d.title)
	for _, section := range [][2]string{{"", d.description}, {"## Design\n\n", d.design}, {"## Acceptance Criteria\n\n", d.acceptance}} {
		if text := guard(section[1]); text != "" {
			out.WriteString(section[0] + text + "\n\n")
		}
	}
	return out.String()
}

func stamp(now time.Time) string { return now.UTC().Format(time.RFC3339) }

// tagList splits tags at commas. It removes characters that have a special meaning in YAML.
func tagList(given []string) []string {
	var tags []string
	for tag := range strings.SplitSeq(strings.Join(given, ","), ",") {
		tag = strings.Map(func(r rune) rune {
			if strings.ContainsRune(`[]"'#`, r) {
				return -1
			}
			return r
		}, value(tag))
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// newID returns an ID in tk's style: a prefix and four random characters. The prefix consists of
// the initials of the words in the directory's name. If the name is a single word, the prefix
// consists of its first three letters.
func newID(dir string) string {
	words := strings.FieldsFunc(strings.ToLower(dir), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	prefix := ""
	for _, word := range words {
		prefix += word[:1]
	}
	if len(words) == 1 {
		prefix = words[0][:min(3, len(words[0]))]
	}
	prefix = cmp.Or(prefix, "t")
	return prefix + "-" + strings.ToLower(rand.Text()[:4]) // only letters and the digits 2 to 7
}

// userName returns the user name that is configured in git, or "" if there is none.
func userName(ctx context.Context, env tools.Env, dir string) string {
	result, err := proc.Run(ctx, proc.Command{Name: "git", Args: []string{"config", "user.name"}, Dir: dir, Environ: env.Environ, Childless: true})
	if err != nil || result.ExitCode != 0 {
		return ""
	}
	return result.Stdout.Text()
}
