package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Manifest is the stored list of a server's tools and prompts. With the list, Marvin can offer the
// tools before the server starts, and detect changed descriptions.
type Manifest struct {
	Server  string            `json:"server"` // hash of the server's configuration
	Program string            `json:"program,omitempty"`
	Taken   time.Time         `json:"taken"`
	Tools   []Tool            `json:"tools"`
	Pinned  map[string]string `json:"pinned"` // hashes of the approved tools, keyed by tool name
	Left    []string          `json:"left,omitempty"`
	Prompts []Prompt          `json:"prompts,omitempty"`
	// Jail contains the rights that the program needed during observation, and those granted later.
	// Before the observation, Jail is nil.
	Jail    *Profile `json:"jail,omitempty"`
	Wanted  Profile  `json:"wanted,omitzero"`  // requested rights that the program does not have
	Refused Profile  `json:"refused,omitzero"` // requested rights that the user refused
	Unseen  bool     `json:"unseen,omitempty"` // this system cannot observe the program
}

// Tool is a server's tool as models see it. The schema comes from [tools.Raw].
type Tool struct {
	Name   string          `json:"name"`
	Doc    string          `json:"description,omitempty"`
	Schema json.RawMessage `json:"parameters,omitempty"`
	// Claims is the server's own classification of the tool: "reads", "destroys" or "". Marvin does
	// not rely on the claim.
	Claims string `json:"claims,omitempty"`
}

// Limits on what Marvin accepts from one server.
const (
	mostTools    = 1000
	mostManifest = 4 << 20
)

// hash returns a hash of the tool's name, description and schema.
func (t Tool) hash() string {
	encoded, _ := json.Marshal([]any{t.Name, t.Doc, compact(t.Schema)})
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}

func compact(schema json.RawMessage) string {
	var plain bytes.Buffer
	if json.Compact(&plain, schema) != nil {
		return string(schema)
	}
	return plain.String()
}

// Tools returns a new manifest with the tools and prompts that the server lists.
func (s *Session) Tools(ctx context.Context) (manifest Manifest, err error) {
	manifest = Manifest{Server: s.config.Hash(), Taken: s.ground.Now().UTC().Truncate(time.Second)}
	if about := s.client.InitializeResult(); about != nil && about.ServerInfo != nil {
		manifest.Program = clipped(about.ServerInfo.Name + " " + about.ServerInfo.Version)
	}
	manifest.Prompts, manifest.Left = s.prompts(ctx)
	var odd []string
	defer func() { manifest.Left = append(manifest.Left, firstLines(odd)...) }()
	size, names := 0, map[string]bool{}
	for tool, err := range pages(s.traffic, func(cursor string) ([]*sdk.Tool, string, error) {
		page, err := s.client.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, "", err
		}
		return page.Tools, page.NextCursor, nil
	}) {
		if endless := endlessError(""); errors.As(err, &endless) {
			manifest.Left = append(manifest.Left, fmt.Sprintf("the server %s: %v; Marvin uses the tools that the server listed before this error", s.Name, err))
			break
		}
		if err != nil {
			if about := s.client.InitializeResult(); about != nil && about.Capabilities != nil && about.Capabilities.Tools == nil {
				return manifest, nil // the server has no tools
			}
			return manifest, s.explainFailure(fmt.Errorf("the server %s does not list its tools: %w", s.Name, err))
		}
		if tool == nil {
			continue
		}
		if names[tool.Name] {
			odd = append(odd, fmt.Sprintf("the server %s lists two tools called %q; Marvin uses the first one", s.Name, clipped(tool.Name)))
			continue
		}
		names[tool.Name] = true
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			continue
		}
		taken, err := tools.Raw(tools.Definition{Name: toolbox.ForeignName("mcp", s.Name, tool.Name), Doc: tool.Description, Schema: schema})
		if err != nil {
			odd = append(odd, fmt.Sprintf("a tool of the server %s is left out, because Marvin cannot use it: %v", s.Name, err))
			continue
		}
		one := Tool{Name: tool.Name, Doc: taken.Doc}
		if one.Schema, err = taken.Schema(); err != nil {
			continue
		}
		if hints := tool.Annotations; hints != nil {
			switch {
			case hints.ReadOnlyHint:
				one.Claims = "reads"
			case hints.DestructiveHint != nil && *hints.DestructiveHint:
				one.Claims = "destroys"
			}
		}
		size += len(schema) + len(one.Doc) + len(one.Name)
		if len(manifest.Tools) >= mostTools || len(names) > 2*mostTools || size > mostManifest {
			manifest.Left = append(manifest.Left, fmt.Sprintf("the server %s has more than %d tools or %d MB of descriptions; the rest is left out", s.Name, mostTools, mostManifest>>20))
			break
		}
		manifest.Tools = append(manifest.Tools, one)
	}
	return manifest, nil
}

// errNotApproved means that a tool is new or has changed since it was approved.
var errNotApproved = errors.New("its description differs from the approved one")

// ReadManifest reads the stored record of a server. The second result reports whether there is a
// valid record for the given configuration. Without such a record, no tool counts as approved.
func ReadManifest(home *persistence.Home, name string, server settings.Server) (manifest Manifest, known bool, err error) {
	data, err := settings.ServersOf(home).File(name)
	if err != nil || len(data) == 0 {
		return Manifest{}, false, err
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return Manifest{Pinned: map[string]string{}}, false, fmt.Errorf("the stored record of the server %s is damaged (%w); look at its tools with \"marvin mcp tools %[1]s\" and approve them with \"marvin mcp approve %[1]s\"", name, err)
	}
	if manifest.Server != server.Hash() {
		return Manifest{}, false, nil
	}
	return manifest, true, nil
}

// Keep stores a server's manifest.
func Keep(home *persistence.Home, name string, manifest Manifest) error {
	encoded, err := json.MarshalIndent(manifest, "", " ")
	if err != nil {
		return err
	}
	return settings.ServersOf(home).KeepFile(name, encoded)
}

func change(home *persistence.Home, name string, how func(*Manifest)) error {
	data, err := settings.ServersOf(home).File(name)
	if err != nil {
		return err
	}
	var manifest Manifest
	if err := json.Unmarshal(data, &manifest); err != nil {
		return fmt.Errorf("the stored record of the server %s: %w", name, err)
	}
	how(&manifest)
	return Keep(home, name, manifest)
}

// Pin approves the current descriptions of all tools.
func (m *Manifest) Pin() {
	m.Pinned = make(map[string]string, len(m.Tools))
	for _, tool := range m.Tools {
		m.Pinned[tool.Name] = tool.hash()
	}
}

// Approved reports whether a tool's description is the approved one.
func (m *Manifest) Approved(tool Tool) bool { return m.Pinned[tool.Name] == tool.hash() }

// Unapproved returns the names of the tools whose descriptions are not approved.
func (m *Manifest) Unapproved() (names []string) {
	for _, tool := range m.Tools {
		if !m.Approved(tool) {
			names = append(names, tool.Name)
		}
	}
	slices.Sort(names)
	return names
}
