package batch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/ui/slash"
)

// wish contains the fields of a line.
type wish struct {
	ID         any      `json:"id"`
	Prompt     *string  `json:"prompt"`
	WorkingDir string   `json:"working_dir"`
	Provider   string   `json:"provider"`
	Model      string   `json:"model"`
	Role       string   `json:"role,omitempty"`
	Images     []string `json:"images,omitempty"` // picture files to show with the prompt
	demands
}

// demands contains the fields that only a fleet uses.
type demands struct {
	Label  string `json:"label,omitempty"`  // the label that the worker must have
	Git    string `json:"git,omitempty"`    // the address of a repository to check out
	Commit string `json:"commit,omitempty"` // the commit to check out
	Repeat bool   `json:"repeat,omitempty"` // allows a retry even if an attempt made changes
}

var wishFields = []string{"id", "prompt", "working_dir", "provider", "model", "role", "images", "label", "git", "commit", "repeat"}

// checkFields returns an error if a line has an unknown field. With a misspelled "working_dir", for
// example, the tools would run in the wrong directory.
func checkFields(line []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return lineError(err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.ContainsFunc(wishFields, func(known string) bool { return strings.EqualFold(known, name) }) {
			continue // the JSON decoder ignores case
		}
		advice := "the fields are " + strings.Join(wishFields[:7], ", ") + "; for a fleet also " + strings.Join(wishFields[7:], ", ")
		if near := slash.Suggest(strings.ReplaceAll(name, "-", "_"), wishFields); len(near) > 0 {
			advice = fmt.Sprintf("did you mean %q?", near[0])
		}
		return fmt.Errorf("there is no field %q; %s", name, advice)
	}
	return nil
}

// fingerprint returns a hash of the line's fields, except the id.
func (w wish) fingerprint() string {
	w.ID = nil
	encoded, _ := json.Marshal(w) // strings and booleans can always be encoded
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8])
}
