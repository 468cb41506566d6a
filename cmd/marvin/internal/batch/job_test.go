package batch

import (
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/idtable"
	"marvin/messages/jsonlines"
)

func newBatch(fleet bool) *Batch {
	b := &Batch{ids: ids{&idtable.Table{}}}
	if fleet {
		b.Away = struct{ Remote }{} // lines for a fleet; nothing is sent here
	}
	return b
}

func (b *Batch) reads(line string, number int) (Prompt, error) {
	return b.prompt(jsonlines.Line{Number: number, Data: []byte(line), Whole: true})
}

func TestLinesThatCannotBeAsked(t *testing.T) {
	whole := strings.Repeat("a", 40)
	for line, want := range map[string]string{
		`{"id":"1"`:                                                   "the line is not JSON (unexpected EOF); write a line such as ",
		`[1]`:                                                         "the line is a JSON array, not an object such as ",
		`{"id":"1","prompt":"x"} {}`:                                  "there is text after the JSON object; put one object on each line",
		`{"prompt":"x"}`:                                              `"id" is missing`,
		`{"id":"","prompt":"x"}`:                                      `"id" is missing`,
		`{"id":true,"prompt":"x"}`:                                    `"id" is neither text nor a number`,
		`{"id":{"a":1},"prompt":"x"}`:                                 `"id" is neither text nor a number`,
		`{"id":"1","prompt":" \n"}`:                                   `"prompt" is missing or empty`,
		`{"id":"1","prompt":7}`:                                       `"prompt" holds a JSON number, not text`,
		`{"id":"1","prompt":"x","workingdir":"/"}`:                    `there is no field "workingdir"; did you mean "working_dir"?`,
		`{"id":"1","prompt":"x","zzz":1}`:                             `there is no field "zzz"; the fields are id, prompt, working_dir, provider, model, role, images; for a fleet also label, git, commit, repeat`,
		`{"id":"1","prompt":"x","role":"boss"}`:                       `there is no role "boss"; the roles are `,
		`{"id":"1","prompt":"x","role":"plan","model":"m"}`:           `give either "role"`,
		`{"id":"1","prompt":"x","git":"https://a/b"}`:                 `give "git"`,
		`{"id":"1","prompt":"x","commit":"` + whole + `"}`:            `give "git"`,
		`{"id":"1","prompt":"x","git":"https://a/b","commit":"main"}`: `commit "main" is not a full commit hash`,
		`{"id":"1","prompt":"x","git":"https://a/b","commit":"` + strings.ToUpper(whole) + `"}`:   "is not a full commit hash",
		`{"id":"1","prompt":"x","git":"https://a/b","commit":"` + whole + `","working_dir":"/x"}`: `give either "git" or "working_dir"`,
	} {
		prompt, err := newBatch(true).reads(line, 3)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", line, err, want)
		}
		decoded := strings.HasPrefix(line, `{"id":"1",`) && !strings.HasSuffix(line, "{}") && !strings.Contains(line, `"prompt":7`)
		if prompt.Line != 3 || decoded && prompt.ID != "1" {
			t.Errorf("%s: its result would be that of %q, line %d", line, prompt.ID, prompt.Line)
		}
	}
}

func TestDemandsNeedAFleet(t *testing.T) {
	for _, line := range []string{
		`{"id":"1","prompt":"x","label":"gpu"}`, `{"id":"1","prompt":"x","repeat":true}`,
		`{"id":"1","prompt":"x","git":"https://a/b","commit":"` + strings.Repeat("0", 64) + `"}`,
	} {
		if _, err := newBatch(false).reads(line, 1); err == nil || !strings.Contains(err.Error(), "work only in a fleet (--fleet)") {
			t.Errorf("%s: %v", line, err)
		}
		if _, err := newBatch(true).reads(line, 1); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestIDs(t *testing.T) {
	b := newBatch(false)
	for line, want := range map[string]string{`{"id":12345678901234567890,"prompt":"x"}`: "12345678901234567890", `{"id":1.50,"prompt":"x"}`: "1.50", `{"id":"a b","prompt":"x"}`: "a b"} {
		if prompt, err := b.reads(line, 1); err != nil || prompt.ID != want {
			t.Errorf("%s: %q, %v", line, prompt.ID, err)
		}
	}
	if _, err := b.reads(`{"id":"1.50","prompt":"other"}`, 9); err == nil || err.Error() != `the id "1.50" is already used in line 1; give every prompt its own id` {
		t.Errorf("%v", err)
	}
}

// The fingerprint depends on everything that a line asks for, and on nothing else.
func TestFingerprint(t *testing.T) {
	fingerprint := func(line string) string {
		t.Helper()
		prompt, err := newBatch(true).reads(line, 1)
		if err != nil {
			t.Fatal(err)
		}
		return prompt.Asked
	}
	plain := fingerprint(`{"id":"1","prompt":"x"}`)
	if other := fingerprint(`{"prompt":"x", "id":2, "model":""}`); other != plain {
		t.Errorf("%s is not %s, and asks for the same", other, plain)
	}
	if plain != "41e279bad3669734" { // what is in files of earlier runs must still count
		t.Errorf("results of earlier runs have another fingerprint than %s", plain)
	}
	seen := map[string]string{plain: "the plain one"}
	for _, more := range []string{`"working_dir":"/x"`, `"provider":"p"`, `"model":"m"`, `"role":"plan"`, `"label":"l"`, `"repeat":true`, `"git":"u","commit":"` + strings.Repeat("a", 40) + `"`} {
		asked := fingerprint(`{"id":"1","prompt":"x",` + more + `}`)
		if seen[asked] != "" {
			t.Errorf("%s has the fingerprint of %s", more, seen[asked])
		}
		seen[asked] = more
	}
}

// If the process may open few files, fewer prompts run at once, but at least one.
func TestWithin(t *testing.T) {
	for _, test := range []struct{ files, jobs, want int }{{0, 500, 500}, {1024, 8, 8}, {1024, 500, 448}, {256, 500, 64}, {128, 8, 1}, {20, 8, 1}} {
		if got := ConcurrencyWithin(test.files, test.jobs); got != test.want {
			t.Errorf("%d of %d jobs with %d files, not %d", got, test.jobs, test.files, test.want)
		}
	}
}
