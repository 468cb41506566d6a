package jail

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestProfilesInWords(t *testing.T) {
	many := func(n int) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprint(i))
		}
		return names
	}
	for _, one := range []struct {
		profile     Profile
		words, wish string
	}{
		{Profile{}, "reads nothing except the system's files, writes nowhere, contacts no host", ""},
		{
			Profile{Read: []string{"."}, Write: []string{"~/a", "/b"}, Hosts: []string{"x.org:443", "y.org:80"}},
			"reads the working directory, writes in ~/a and /b, contacts x.org and y.org:80", "read the working directory, write in ~/a and /b, contact x.org and y.org:80",
		},
		{
			Profile{Network: true, Hosts: []string{"x.org:443"}},
			"reads nothing except the system's files, writes nowhere, contacts any host, without going through Marvin's proxy",
			"contact x.org, contact any host, without going through Marvin's proxy",
		},
		{Profile{Read: many(6)}, "reads 0, 1, 2, 3, 4 and 5, writes nowhere, contacts no host", "read 0, 1, 2, 3, 4 and 5"},
		{Profile{Read: many(7)}, "reads 0, 1, 2, 3, 4, 5 and 1 more, writes nowhere, contacts no host", "read 0, 1, 2, 3, 4, 5 and 1 more"},
		{Profile{Write: many(9)}, "reads nothing except the system's files, writes in 0, 1, 2, 3, 4, 5 and 3 more, contacts no host", "write in 0, 1, 2, 3, 4, 5 and 3 more"},
	} {
		if words, wish := one.profile.String(), one.profile.Wish(); words != one.words || wish != one.wish {
			t.Errorf("%+v: %s; %s", one.profile, words, wish)
		}
		if one.profile.Empty() != (one.wish == "") {
			t.Errorf("%+v is empty: %v", one.profile, one.profile.Empty())
		}
	}
}

func TestProfilesAreJoinedAndParted(t *testing.T) {
	all := Profile{Read: []string{"a", "b"}, Write: []string{"c"}, Hosts: []string{"x.org:443", "y.org:80"}, Network: true}
	if got := (Profile{Read: []string{"b"}, Hosts: []string{"y.org:80"}}).Union(Profile{Read: []string{"a", "b"}, Write: []string{"c"}, Hosts: []string{"x.org:443"}, Network: true}); !reflect.DeepEqual(got, all) {
		t.Errorf("joined: %+v", got)
	}
	parts := all.Parts()
	if want := []Profile{{Read: []string{"a"}}, {Read: []string{"b"}}, {Write: []string{"c"}}, {Hosts: []string{"x.org:443"}}, {Hosts: []string{"y.org:80"}}, {Network: true}}; !reflect.DeepEqual(parts, want) {
		t.Errorf("parts: %+v", parts)
	}
	for i, part := range parts {
		left := all.Minus(part)
		if len(left.Parts()) != len(parts)-1 || !left.Minus(all).Empty() || !reflect.DeepEqual(left.Union(part), all) {
			t.Errorf("without part %d: %+v", i, left)
		}
	}
	if got := (Profile{Read: []string{"c", "d"}}).Minus(all); !reflect.DeepEqual(got, Profile{Read: []string{"d"}}) {
		t.Errorf("what is written is read, too: %+v", got)
	}
	for name, want := range map[string]Profile{
		"a": {Read: []string{"a"}}, "c": {Write: []string{"c"}}, "x.org": {Hosts: []string{"x.org:443"}}, "x.org:443": {Hosts: []string{"x.org:443"}},
		"y.org": {}, "y.org:80": {Hosts: []string{"y.org:80"}}, "network": {Network: true}, "other": {},
	} {
		if got := all.Select(name); !reflect.DeepEqual(got, Profile{}.Union(want)) {
			t.Errorf("%s names %+v", name, got)
		}
	}
	if got := (Profile{Read: []string{"network"}}).Select("network"); got.Network || len(got.Read) != 1 {
		t.Errorf("a file with the name of the network: %+v", got)
	}
}

// does records a program's action in a jail: "r path", "w path" or an address.
func does(t *testing.T, j *Jail, home string, did string) {
	t.Helper()
	if j.observer == nil {
		j.observer = &observer{seen: map[access]bool{}}
	}
	for _, one := range strings.Fields(strings.ReplaceAll(did, "~", home)) {
		how, path, isPath := strings.Cut(one, "|")
		if isPath {
			j.observer.add(access{path: path, writes: how == "w"})
		} else {
			j.observer.add(access{address: one})
		}
	}
}

func TestLearnedProfile(t *testing.T) {
	files := caches + ".npm/x=y docs/a=x docs/b=x docs/c=x docs/d=x two/a=x two/b=x .config/tool/deep/x=y .cache/tool/deep/x=y .local/share/tool/deep/x=y .tool/deep/x=y " +
		"lib/node_modules/p/x=y lib/site-packages/q/x=y project/main=x .ssh/id_rsa=x plain=x link->docs/a"
	for _, one := range []struct {
		what, did   string
		did2, vain2 Profile
	}{
		{"nothing", "", Profile{}, Profile{}},
		{"a file", "r|~/docs/a", Profile{Read: []string{"~/docs/a"}}, Profile{}},
		{"through a link", "r|~/link", Profile{Read: []string{"~/docs/a"}}, Profile{}},
		{"a few of a directory", "r|~/docs/a r|~/docs/b r|~/docs/c r|~/two/a", Profile{Read: []string{"~/docs/a", "~/docs/b", "~/docs/c", "~/two/a"}}, Profile{}},
		{"more of it", "r|~/docs/a r|~/docs/b r|~/docs/c r|~/docs/d r|~/two/a", Profile{Read: []string{"~/docs", "~/two/a"}}, Profile{}},
		{"the project", "r|~/project/main", Profile{Read: []string{"."}}, Profile{}},
		{"the project, written to", "r|~/project/main w|~/project/new", Profile{Write: []string{"."}}, Profile{}},
		{"on the way to it", "r|~ r|/ r|~/project/..", Profile{}, Profile{}},
		{"the system", "r|/etc/hosts r|/proc/self/maps w|/dev/null r|/usr/bin/env", Profile{}, Profile{}},
		{"what is not there", "r|~/none r|~/none/deeper w|~/none/deeper", Profile{}, Profile{}},
		{"a new file that it may not write", "w|~/docs/new", Profile{}, Profile{Write: []string{"~/docs"}}},
		{"a file in the home directory itself", "r|~/plain w|~/plain", Profile{Read: []string{"~/plain"}}, Profile{Write: []string{"~/plain"}}},
		{"what is hidden", "r|~/.ssh/id_rsa", Profile{}, Profile{}},
		{"a tool's own", "r|~/.config/tool/deep/x r|~/.cache/tool/deep/x r|~/.local/share/tool/deep/x r|~/.tool/deep/x", Profile{Read: []string{"~/.cache/tool", "~/.config/tool", "~/.local/share/tool", "~/.tool"}}, Profile{}},
		{"a cache that is written", "w|~/.npm/x w|~/.npm/new", Profile{Write: []string{"~/.npm"}}, Profile{}},
		{"packages beside each other", "r|~/lib/node_modules/p/x r|~/lib/site-packages/q/x", Profile{Read: []string{"~/lib/node_modules", "~/lib/site-packages"}}, Profile{}},
		{"packages that it writes to", "w|~/lib/node_modules/p/x", Profile{}, Profile{Write: []string{"~/lib/node_modules/p"}}},
		{"a file below what it wrote to", "w|~/.npm/x r|~/.npm/x", Profile{Write: []string{"~/.npm"}}, Profile{}},
		{"the private directory", "w|~/private/tmp/x r|/tmp", Profile{}, Profile{}},
		{"a name, the proxy, nobody", "127.0.0.53:53 127.0.0.1:9 0.0.0.0:80 1.2.3.4:0 nonsense", Profile{}, Profile{}},
		{"a host", "1.2.3.4:443", Profile{Network: true}, Profile{}},
		{"a host of the sixth version", "[2001:db8::1]:443", Profile{Network: true}, Profile{}},
	} {
		k, home := scene{files: files}.keeperOf(t)
		j, err := newJail(k, filepath.Join(home, "project"))
		if err != nil {
			t.Fatal(err)
		}
		does(t, j, home, one.did)
		did, vain := j.Learned("127.0.0.1:9")
		for _, got := range []*Profile{&did, &vain} {
			*got = Profile{}.Union(*got)
		}
		if !reflect.DeepEqual(did, Profile{}.Union(one.did2)) || !reflect.DeepEqual(vain, Profile{}.Union(one.vain2)) {
			t.Errorf("%s: did %+v, in vain %+v", one.what, did, vain)
		}
		if again, _ := j.Learned(""); !again.Empty() {
			t.Errorf("%s: it is reported twice: %+v", one.what, again)
		}
	}
}

func TestDeniedAccessIsCollected(t *testing.T) {
	k, home := scene{files: caches + "docs/a=x notes/b=x out/c=x lib/node_modules/p/x=y"}.keeperOf(t)
	if none := (&Jail{keeper: k}); !none.Wanted().Empty() || none.Observes() || (*Jail)(nil).Observes() {
		t.Error("a jail that sees nothing wants something")
	}
	k.jails = map[string]*Jail{filepath.Join(home, "project"): {keeper: k, plan: plan{Root: filepath.Join(home, "project")}}}
	j, err := k.Held(filepath.Join(home, "project"), Profile{Read: []string{"~/docs"}, Write: []string{"~/out"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	does(t, j, home, "r|~/notes/b")
	if j.Observes() || !j.Wanted().Empty() {
		t.Error("before the kernel tells it is seen")
	}
	j.observer.begin()
	(*observer)(nil).begin()
	for _, one := range []struct {
		did  string
		want Profile
	}{
		{"", Profile{Read: []string{"~/notes"}}},
		{"r|~/docs/a w|~/out/new r|~/out/c r|/etc/hosts", Profile{Read: []string{"~/notes"}}},
		{"w|~/docs/a", Profile{Read: []string{"~/notes"}, Write: []string{"~/docs"}}},
		{GateAddress + " 0.0.0.0:1", Profile{Read: []string{"~/notes"}, Write: []string{"~/docs"}}},
		{"1.2.3.4:443", Profile{Read: []string{"~/notes"}, Write: []string{"~/docs"}, Network: true}},
		{"w|~/project/x", Profile{Read: []string{"~/notes"}, Write: []string{".", "~/docs"}, Network: true}},
	} {
		does(t, j, home, one.did)
		if got := (Profile{}).Union(j.Wanted()); !reflect.DeepEqual(got, Profile{}.Union(one.want)) {
			t.Errorf("%s: it wanted %+v", one.did, got)
		}
	}
	j.observer.blind.Store(true)
	if j.Observes() {
		t.Error("what cannot be read is seen")
	}
}

func TestThePlanOfAProfile(t *testing.T) {
	for _, one := range []struct {
		profile Profile
		mode    Mode
		root    string
		want    string
	}{
		{Profile{}, Auto, "project", "offline gate|writes|reads|protects|own true|hosts false"},
		{Profile{Network: true}, Auto, "project", "|writes|reads|protects|own true|hosts false"},
		{Profile{Network: true}, Strict, "project", "offline gate|writes|reads|protects|own true|hosts false"},
		{Profile{Hosts: []string{"x.org:443"}}, Auto, "project", "offline gate|writes|reads|protects|own true|hosts true"},
		{Profile{Write: []string{"."}}, Auto, "project", "offline gate|writes ~/project|reads|protects ~/project/.git ~/project/own|own true|hosts false"},
		{Profile{Write: []string{"."}}, Auto, ".", "offline gate|writes ~/docs ~/link ~/private ~/project ~/repo|reads|protects ~/repo/.git/hooks ~/repo/.git/config ~/repo/.git/commondir ~/repo/.git/modules ~/repo/.git/worktrees|own false|hosts false"},
		{
			Profile{Write: []string{"~/docs", "~/repo", "~/none", "/", "~", "~/.ssh", "~/project/own"}, Read: []string{"~/docs/a", "~/none", "relative", "."}},
			Auto, "project",
			"offline gate|writes ~/docs ~/repo|reads ~/docs/a ~/project|protects ~/repo/.git/hooks ~/repo/.git/config ~/repo/.git/commondir ~/repo/.git/modules ~/repo/.git/worktrees|own true|hosts false",
		},
	} {
		k, home := scene{files: "docs/a=x link=x .ssh/id_rsa=x project/own/x=y " + of("repo/.git/", repository), mode: one.mode, state: "project/own"}.keeperOf(t)
		root := filepath.Join(home, one.root)
		k.jails = map[string]*Jail{root: {keeper: k, plan: plan{Root: root}}}
		for _, list := range [][]string{one.profile.Write, one.profile.Read} {
			for i, name := range list {
				if name == "~" {
					list[i] = home
				}
			}
		}
		j, err := k.Held(root, one.profile, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := j.plan
		got := strings.TrimSpace(map[bool]string{true: "offline"}[p.Offline] + map[bool]string{true: " gate"}[p.Gate])
		for _, each := range []struct {
			what  string
			paths []string
		}{{"writes", p.Write}, {"reads", p.Read}, {"protects", p.Protect}} {
			got += "|" + strings.TrimSpace(each.what+" "+strings.Join(each.paths, " "))
		}
		got += fmt.Sprintf("|own %v|hosts %v", j.ownInside, j.hosts)
		if got = strings.ReplaceAll(got, home, "~"); got != one.want || !p.Held || p.Home != home || j.observer == nil {
			t.Errorf("%+v: %s, want %s", one.profile, got, one.want)
		}
		if trees := k.Trees(); one.mode == Auto && len(trees) != len(p.Write)+1 || trees[0] != filepath.Join(home, "private/tmp") {
			t.Errorf("%+v: commands write to %q", one.profile, trees)
		}
	}
	k, home := scene{}.keeperOf(t)
	k.jails = map[string]*Jail{home: {keeper: k, plan: plan{Root: filepath.Join(home, "project")}}}
	if _, err := k.Held(filepath.Join(home, "none"), Profile{}, nil); err == nil {
		t.Error("a directory that is not there is held")
	}
	if _, err := os.Stat(filepath.Join(home, "none")); err == nil {
		t.Error("it was made")
	}
}

func TestAProgramThatIsObserved(t *testing.T) {
	k, home := scene{files: caches + of("project/.git/", repository)}.keeperOf(t)
	root := filepath.Join(home, "project")
	plain, err := k.Jail(root)
	if err != nil {
		t.Skip(err)
	}
	first, err := k.Observed(root)
	if err != nil {
		t.Fatal(err)
	}
	second, err := k.Observed(root)
	if err != nil {
		t.Fatal(err)
	}
	if first.observer == nil || first.observer == second.observer || plain.observer != nil {
		t.Errorf("observed %+v and %+v, a command %+v", first.observer, second.observer, plain.observer)
	}
	if again, err := k.Jail(root); err != nil || again != plain || first.told(home) != plain.told(home) {
		t.Errorf("commands have another jail, or %v:\n%swant\n%s", err, first.told(home), plain.told(home))
	}
	if _, err := k.Observed(filepath.Join(home, "none")); err == nil {
		t.Error("a directory that is not there is observed")
	}
}
