package joblist

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

func projectJobs(t *testing.T) (Jobs, string) {
	t.Helper()
	dir := t.TempDir()
	return New(store.Open(t.TempDir(), time.Now), dir), dir
}

// newJob creates the files of a job as its start does.
func newJob(t *testing.T, jobs Jobs, output string) string {
	t.Helper()
	id, stdout, stderr, err := jobs.Create("cmd")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.WriteString(output); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(stdout.Close(), stderr.Close(), jobs.Add(Job{ID: id, Status: "running", StartedAt: 5})); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestAJobFileHasTheKeysThatEarlierMarvinsRead(t *testing.T) {
	jobs, dir := projectJobs(t)
	id := newJob(t, jobs, "")
	data, err := os.ReadFile(filepath.Join(dir, ".marvin/jobs", id+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"id": id, "status": "running", "started_at": 5.0, "result": nil, "error": nil, "round": 0.0, "pid": 0.0, "ticket": "", "started": "",
		"type": "", "working_dir": "", "branch": "", "files_count": 0.0, "ref_count": 0.0, "max_rounds": 0.0, "phase": "",
	} {
		if got, ok := keys[key]; !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"round_results", "active_pids"} {
		if list, ok := keys[key].([]any); !ok || len(list) != 0 {
			t.Errorf("%s is %v", key, keys[key])
		}
	}
	for _, ignored := range []string{".marvin/jobs/.gitignore", ".marvin/logs/.gitignore"} {
		if text, err := os.ReadFile(filepath.Join(dir, ignored)); err != nil || string(text) != "*\n" {
			t.Errorf("%s: %q, %v", ignored, text, err)
		}
	}
}

func TestAJobOfThePythonMarvinKeepsItsOwnKeys(t *testing.T) {
	jobs, dir := projectJobs(t)
	path := filepath.Join(dir, ".marvin/jobs/review-1712345678.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	// F11 of contracts.md, with an unknown key.
	file := `{"id":"elsewhere","type":"code-review","status":"completed","started_at":1712345678,"working_dir":"/elsewhere","branch":"review/x","files_count":12,"ref_count":1,"max_rounds":4,"phase":"fixing","round":2,"round_results":[{"round":1,"issues":3}],"active_pids":[7,8],"result":"fine","error":null,"fixer":{"commits":[1.50]}}`
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := jobs.Update("review-1712345678", func(job *Job) error { job.Told = true; return nil }); err != nil {
		t.Fatal(err)
	}
	job, err := jobs.Get("review-1712345678")
	if err != nil || job.ID != "review-1712345678" || job.Dir != dir || !job.Told || job.Round != 2 || len(job.Rounds) != 1 || *job.Result != "fine" {
		t.Errorf("%+v, %v", job, err)
	}
	data, _ := os.ReadFile(path)
	if !strings.Contains(string(data), "1.50") || !strings.Contains(string(data), `"issues": 3`) {
		t.Errorf("something is lost:\n%s", data)
	}
}

// Many Marvins change the jobs of one project at the same time.
func TestChangesOfAJobAddUp(t *testing.T) {
	jobs, dir := projectJobs(t)
	id := newJob(t, jobs, "")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			mine := New(store.Open(t.TempDir(), time.Now), dir) // another process has another Home
			for range 5 {
				if err := mine.Update(id, func(job *Job) error { job.Round++; return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if job, err := jobs.Get(id); err != nil || job.Round != 40 {
		t.Errorf("%+v, %v", job, err)
	}
}

func TestADamagedJobHidesNoOther(t *testing.T) {
	jobs, dir := projectJobs(t)
	good := newJob(t, jobs, "")
	for name, text := range map[string]string{"cut.json": `{"id":"cut"`, "large.json": strings.Repeat(" ", jobLimit+1), "list.json": "[]", "notes.txt": "x", "..json": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, ".marvin/jobs", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := jobs.List()
	if len(all) != 1 || all[0].ID != good {
		t.Errorf("found %+v", all)
	}
	var damaged *store.DamagedError
	if !errors.As(err, &damaged) || strings.Count(err.Error(), "damaged") != 3 {
		t.Errorf("%v", err)
	}
}

func TestNoLinkLeadsJobsOutOfTheProject(t *testing.T) {
	jobs, dir := projectJobs(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.json")
	if err := os.WriteFile(secret, []byte(`{"status":"running","title":"secret"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	id := newJob(t, jobs, "")
	link := func(from, to string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	link(".marvin/jobs/stolen.json", secret)
	link(".marvin/logs/stolen.log", secret)
	if all, err := jobs.List(); err == nil || len(all) != 1 || all[0].ID != id {
		t.Errorf("lists %+v, %v", all, err)
	}
	if text, _, err := jobs.Output("stolen", false, 100); err == nil {
		t.Errorf("reads %q", text)
	}
	if err := jobs.Update("stolen", func(*Job) error { return nil }); err == nil {
		t.Error("changes what is outside")
	}
	for _, id := range []string{"", ".", "..", "../x", "a/b", "a\x00b", strings.Repeat("a", 81)} {
		if _, err := jobs.Get(id); !errors.Is(err, ErrNoJob) {
			t.Errorf("%q: %v", id, err)
		}
	}
	elsewhere, other := projectJobs(t)
	if err := os.Symlink(outside, filepath.Join(other, ".marvin")); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := elsewhere.Create("cmd"); err == nil {
		t.Error("a job begins outside of the project")
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside there are now %v", entries)
	}
}

func TestTheEndOfAnOutput(t *testing.T) {
	jobs, _ := projectJobs(t)
	id := newJob(t, jobs, "one\ntwo\nthree\n")
	for limit, want := range map[int64]string{100: "one\ntwo\nthree\n", 6: "three\n", 0: ""} {
		if text, size, err := jobs.Output(id, false, limit); err != nil || string(text) != want || size != 14 {
			t.Errorf("%d bytes: %q of %d, %v", limit, text, size, err)
		}
	}
	if text, size, err := jobs.Output(id, true, 100); err != nil || len(text) != 0 || size != 0 {
		t.Errorf("errors: %q of %d, %v", text, size, err)
	}
	if text, _, err := jobs.Output("gone", false, 100); err != nil || len(text) != 0 {
		t.Errorf("no file: %q, %v", text, err)
	}
}

func TestAProjectWithoutJobsHasNone(t *testing.T) {
	jobs, dir := projectJobs(t)
	if all, err := jobs.List(); len(all) != 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	if err := jobs.Update("cmd-x", func(*Job) error { return nil }); !errors.Is(err, ErrNoJob) {
		t.Errorf("%v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("looking made %v", entries)
	}
}
