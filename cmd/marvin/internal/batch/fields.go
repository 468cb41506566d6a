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

// wish is what a line of a batch may hold.
type wish struct {
	ID         any      `json:"id"`
	Prompt     *string  `json:"prompt"`
	WorkingDir string   `json:"working_dir"`
	Provider   string   `json:"provider"`
	Model      string   `json:"model"`
	Role       string   `json:"role,omitempty"`
	Images     []string `json:"images,omitempty"` // files, shown with the prompt
	demands
}

// demands are what a line asks of a fleet.
type demands struct {
	Label  string `json:"label,omitempty"`  // of the workers that may answer
	Git    string `json:"git,omitempty"`    // the address of a repository, checked out for this prompt alone
	Commit string `json:"commit,omitempty"` // of it
	Repeat bool   `json:"repeat,omitempty"` // may be asked again after calls that changed something
}

// wishFields are the names of its fields.
var wishFields = []string{"id", "prompt", "working_dir", "provider", "model", "role", "images", "label", "git", "commit", "repeat"}

// knownFields refuses a line with a field that there is not: a misspelt working_dir
// would run the prompt, with its tools approved, somewhere else.
func knownFields(line []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return unreadable(err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if slices.ContainsFunc(wishFields, func(known string) bool { return strings.EqualFold(known, name) }) {
			continue // the decoder does not look at the case either
		}
		advice := "the fields are " + strings.Join(wishFields[:7], ", ") + "; for a fleet also " + strings.Join(wishFields[7:], ", ")
		if near := slash.Suggest(strings.ReplaceAll(name, "-", "_"), wishFields); len(near) > 0 {
			advice = fmt.Sprintf("did you mean %q?", near[0])
		}
		return fmt.Errorf("there is no field %q; %s", name, advice)
	}
	return nil
}

// fingerprint is the same for lines that ask for the same, whatever their id.
func (w wish) fingerprint() string {
	w.ID = nil
	encoded, _ := json.Marshal(w) // of text alone, which can be encoded
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:8])
}
