package words

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// large creates a repository with twelve levels, forty files and three hundred skills.
func large(t testing.TB) (root, deepest string) {
	t.Helper()
	root = t.TempDir()
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	dir, at := "", 0
	for level := range 12 {
		for _, name := range []string{"AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"} {
			files[dir+name] = fmt.Sprintf("Rules %d of level %d.\n%s", at, level, strings.Repeat("Do it well.\n", 20))
			at++
		}
		dir += fmt.Sprintf("level-%d/", level)
	}
	for i := range 4 {
		files[fmt.Sprintf(".claude/rules/rule-%d.md", i)] = "---\npaths: '**/*.go'\n---\nA rule.\n"
	}
	for i := range 300 {
		files[fmt.Sprintf(".claude/skills/skill-%d/SKILL.md", i)] = fmt.Sprintf("---\nname: skill-%d\ndescription: what the skill with the number %d does, and when\n---\n%s", i, i, strings.Repeat("A step.\n", 40))
	}
	write(t, root, files)
	return root, filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(dir, "level-11/")))
}

// BenchmarkFind measures the search that each turn makes outside its actor, in a large repository
// and in a usual one.
func BenchmarkFind(b *testing.B) {
	_, big := large(b)
	usual := b.TempDir()
	write(b, usual, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": strings.Repeat("Do it well.\n", 200), "sub/AGENTS.md": "Below.\n",
		".claude/skills/s/SKILL.md": "---\nname: s\ndescription: what it does\n---\nA step.\n",
	})
	for name, dir := range map[string]string{"large": big, "usual": filepath.Join(usual, "sub")} {
		b.Run(name, func(b *testing.B) { findIn(b, dir) })
	}
}

func findIn(b *testing.B, dir string) {
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		runtime.GC()
		b.StartTimer()
		begun := time.Now()
		Find(Query{Dir: dir, Coding: true})
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
}

func TestALargeRepositoryIsReadWhole(t *testing.T) {
	_, dir := large(t)
	found := Find(Query{Dir: dir, Coding: true})
	if instructions, skills := len(found.Of(Instructions, Rule)), len(found.Of(Skill)); instructions != 40 || skills != 300 || found.Problem() != nil {
		t.Errorf("%d files, %d skills, %v", instructions, skills, found.Problem())
	}
	first, last := found.Files[0], found.Of(Instructions)[35]
	if first.Dir != "." || last.Dir != strings.Join([]string{"level-0", "level-1", "level-2", "level-3", "level-4", "level-5", "level-6", "level-7", "level-8", "level-9", "level-10"}, "/") {
		t.Errorf("from %s to %s", first.Dir, last.Dir)
	}
}

// Find reads all files, with nothing known before.
func Find(query Query) Inventory { return new(Library).Find(query) }
