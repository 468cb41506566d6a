package protected

// WriteRule says whether file tools may write to a place.
type WriteRule uint8

const (
	// Refused means that file tools never write to the place, even with the user's consent.
	Refused WriteRule = iota
	// Asked means that a write needs the user's consent, or a rule that names the file. Without a
	// user, only a rule allows the write.
	Asked
)

// Row is a group of places that are protected for the same reason. Names are paths below the home
// directory, absolute paths, or (in [Anywhere]) paths below any directory. Each path is a file or a
// whole tree.
type Row struct {
	What  string // a description of the group, used in messages
	Why   string // why the group is protected
	Runs  bool   // programs run these files, or read settings from them
	Keys  bool   // the files contain keys or other secrets, and sandboxed commands cannot read them
	Words string // a nonempty value restricts Keys to files that contain one of these words
	Vars  bool   // restricts Keys to files that assign a secret to a variable
	Own   bool   // Marvin's files or the user's keys, which no sandbox can change or use as its root
	Made  bool   // the sandbox prevents the creation of missing files, even if Keys is true
	Write WriteRule
	Names []string
}

// Home contains the rows for places below the home directory. Environment variables can move some
// of these places: see [moved].
var Home = [...]Row{
	{
		What: "Marvin's settings, and your own instructions, skills and tools", Why: "these files decide what Marvin may do and what the model reads, and they contain keys", Runs: true, Keys: true, Own: true, Made: true, Write: Refused,
		Names: []string{".config/marvin"},
	},
	{
		What: "Marvin's other files", Why: "these files contain conversations, logs, and the settings of older versions of Marvin", Runs: true, Keys: true, Own: true, Write: Refused,
		Names: []string{".local/share/marvin", ".local/state/marvin", ".marvin", ".config/local-finder", ".local/share/local-finder", ".local/state/local-finder"},
	},
	{
		What: "startup files of shells and sessions", Why: "these files run when a shell or a session starts", Runs: true, Keys: true, Vars: true, Write: Refused,
		Names: []string{
			".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".login", ".logout", ".cshrc", ".tcshrc", ".kshrc", ".mkshrc",
			".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".inputrc", ".pam_environment", ".xinitrc", ".xserverrc", ".xsession", ".xsessionrc", ".xprofile",
			".config/fish/config.fish", ".config/fish/fish_variables", ".config/fish/conf.d", ".config/nushell/config.nu", ".config/nushell/env.nu", ".config/environment.d",
		},
	},
	{
		What: "other shell files", Why: "a shell loads these files when it starts, or when you type a command", Runs: true, Write: Refused,
		Names: []string{
			".config/fish", ".config/nushell", ".config/powershell", ".config/elvish", ".config/xonsh", ".xonshrc", ".elvish", ".oh-my-zsh", ".oh-my-bash", ".zsh", ".bash_completion", ".bash_it",
			".zinit", ".zplug", ".antigen", ".zim", ".zimrc", ".zpreztorc", ".zprezto", ".p10k.zsh", ".config/zsh", ".config/bash", ".config/direnv", ".direnvrc",
		},
	},
	{
		What: "git's settings", Why: "these files specify hooks, filters, pagers and aliases that git runs", Runs: true, Write: Refused,
		Names: []string{".gitconfig", ".config/git", ".git-template", ".githooks", ".git-hooks"},
	},
	{
		What: "SSH and GnuPG", Why: "these files contain keys, and they control who may log in and which commands run at a login", Runs: true, Own: true, Write: Refused,
		Names: []string{".ssh", ".gnupg"},
	},
	{
		What: "autostart entries, services and scheduled commands", Why: "these files specify programs that the desktop or the system starts", Runs: true, Write: Refused,
		Names: []string{
			".config/autostart", ".config/autostart-scripts", ".config/systemd", ".config/plasma-workspace", ".config/upstart", ".init", ".config/openbox", ".config/i3", ".config/sway", ".config/hypr", ".config/awesome", ".config/bspwm", ".config/qtile",
			".local/share/systemd", ".local/share/dbus-1", ".crontab", ".local/share/applications", ".config/mimeapps.list", ".config/menus", ".forward", ".procmailrc", ".rhosts", ".shosts", "Library/LaunchAgents", "Library/LaunchDaemons",
			"AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup",
		},
	},
	{
		What: "directories that contain programs", Why: "a shell looks for programs in these directories", Runs: true, Write: Asked,
		Names: []string{
			"bin", ".local/bin", ".bin", "go/bin", ".go/bin", ".cargo/bin", ".npm-global", ".yarn/bin", ".config/yarn/global", ".local/share/pnpm", ".bun/bin", ".deno/bin", ".dotnet/tools", ".composer/vendor/bin", ".config/composer/vendor/bin",
			".gem", ".rbenv", ".pyenv", ".asdf", ".nvm", ".volta", ".sdkman", ".rustup", ".local/share/mise", ".local/share/uv", ".local/share/pipx", ".local/pipx", ".juliaup", ".ghcup", ".cabal/bin", ".opam", ".nix-profile", ".linuxbrew", ".krew", ".poetry", ".luarocks",
			".local/lib", ".local/libexec", "usercustomize.py", "sitecustomize.py", ".node_modules", ".node_libraries",
		},
	},
	{
		What: "settings of other agents", Why: "these files specify programs that the agents start (hooks, servers, shell commands), and decide what the agents may do", Runs: true, Write: Asked,
		Names: []string{
			".claude", ".claude.json", ".cursor", ".codex", ".gemini", ".qwen", ".config/opencode", ".opencode", ".config/crush", ".crush", ".local/share/crush", ".local/share/opencode", ".config/amp", ".config/goose", ".config/github-copilot", ".copilot", ".aider.conf.yml", ".continue", ".codeium",
			".windsurf", ".kiro", ".trae", ".factory", ".augment", ".amazonq", ".aws/amazonq", ".roo", ".cline", ".kilocode", ".junie", ".iflow", ".omp", ".pi", ".openhands", ".agents", ".config/agents", ".config/mcp", ".mcp.json", ".config/zed", ".config/kilo", ".kimi", ".vibe", ".forge", ".qoder", ".codebuddy", ".qodo", ".zencoder", ".agent", ".antigravity", ".lingma", ".warp", ".config/gptme",
			".config/Claude", "Library/Application Support/Claude",
		},
	},
	{
		What: "settings of editors, terminals and other programs", Why: "these programs run commands from their settings", Runs: true, Write: Asked,
		Names: []string{
			".vimrc", ".gvimrc", ".vim", ".exrc", ".nexrc", ".ideavimrc", ".config/nvim", ".local/share/nvim", ".config/vim", ".emacs", ".emacs.d", ".emacs.el", ".config/emacs", ".doom.d", ".config/doom", ".spacemacs", ".config/helix", ".config/kak", ".config/micro", ".nanorc", ".config/nano",
			".vscode", ".vscode-server", ".vscode-oss", ".cursor-server", ".config/Code", ".config/Code - OSS", ".config/VSCodium", ".config/Cursor", ".config/Windsurf", ".config/JetBrains", ".config/sublime-text", ".config/lapce", "Library/Application Support/Code", "Library/Application Support/Cursor", "Library/Application Support/JetBrains",
			".tmux.conf", ".config/tmux", ".tmux", ".screenrc", ".byobu", ".config/zellij", ".config/kitty", ".config/alacritty", ".alacritty.toml", ".alacritty.yml", ".config/wezterm", ".wezterm.lua", ".config/ghostty", ".config/foot", ".config/terminator", ".hammerspoon",
			".gdbinit", ".config/gdb", ".lldbinit", ".lesskey", ".lessfilter", ".config/lesskey", ".config/ranger", ".config/lf", ".config/nnn", ".config/yazi", ".config/mpv", ".mpv", ".config/mc", ".config/lazygit", ".tigrc", ".config/tig", ".config/hg", ".config/jj", ".config/sapling", ".sapling", ".config/pijul", ".darcs", ".jjconfig.toml",
			".mailcap", ".muttrc", ".mutt", ".config/mutt", ".config/neomutt", ".irbrc", ".pryrc", ".pythonrc", ".pythonrc.py", ".pythonstartup.py", ".config/ipython", ".ipython", ".jupyter", ".Rprofile", ".Renviron", ".julia/config", ".ghci", ".psqlrc", ".sqliterc", ".mongorc.js", ".mongoshrc.js", ".perldb", ".pdbrc", ".pdbrc.py", ".node_repl_rc", ".octaverc",
			".config/lxsession", ".Xresources", ".Xdefaults", ".config/rofi", ".config/sxhkd", ".config/dunst", ".config/waybar", ".config/polybar", ".config/espanso", ".config/karabiner", ".config/atuin", ".config/mise", ".config/mise.toml", ".asdfrc", ".tool-versions",
		},
	},
	{
		What: "settings of build tools and package managers", Why: "these files specify the programs that a build runs, and the hosts from which it downloads packages", Runs: true, Write: Asked,
		Names: []string{
			".cargo/config", ".cargo/config.toml", ".cargo/env", ".yarnrc", ".pnpmrc", ".bunfig.toml", ".config/pnpm", ".config/npm", ".gemrc", ".config/pypoetry", ".config/conda", ".mambarc", ".gradle/init.gradle", ".gradle/init.gradle.kts", ".gradle/init.d", ".mavenrc", ".m2/extensions.xml", ".sbt", ".config/go", ".ccache/ccache.conf", ".config/ccache", ".bazelrc",
			".makerc", ".config/meson", ".pydistutils.cfg", ".config/pre-commit", ".cabal/config", ".stack/config.yaml", ".mix", ".hex", ".config/nixpkgs", ".config/nix", ".nix-channels", ".config/home-manager", ".guix-profile", ".config/guix", ".config/containers", ".config/docker", ".docker/cli-plugins", ".config/systemd-user", ".vagrant.d", ".ansible.cfg", ".ansible", ".config/ansible", ".terraform.d", ".tofurc", ".packer.d",
		},
	},
	{
		What: "logins for clouds, clusters and hosting", Why: "programs use these files to log in, and some of these files specify a program that supplies the login data", Runs: true, Keys: true, Write: Refused,
		Names: []string{
			".aws", ".azure", ".passwd-s3fs", ".chef", ".config/neonctl", ".config/akamai-cli", ".config/gcloud", ".kube", ".oci", ".aliyun", ".bluemix", ".config/doctl", ".config/hcloud", ".config/linode-cli", ".config/scw", ".config/vercel",
			".local/share/com.vercel.cli", ".vercel", ".now", ".fly", ".netlify", ".config/netlify", ".config/configstore", ".config/heroku", ".databrickscfg", ".snowsql", ".snowflake", ".config/snowflake",
			".terraform.d/credentials.tfrc.json", ".vault-token", ".boto", ".s3cfg", ".config/rclone", ".rclone.conf", ".mc", ".mcli", ".config/wireguard", ".config/syncthing", ".local/state/syncthing", ".config/containers/auth.json",
			".pulumi/credentials.json", ".config/.wrangler", ".wrangler", ".config/wrangler", ".cloudflared", ".supabase", ".config/supabase", ".config/stripe", ".config/ngrok", ".ngrok2", ".railway", ".config/turso", ".planetscale", ".config/planetscale", ".config/exoscale", ".config/openstack", ".config/upctl", ".vultr-cli.yaml", ".edgerc", ".config/infracost", ".step", ".config/k9s", ".rancher", ".config/argocd", ".argocd", ".config/helm/registry", ".config/scaleway", ".config/doppler", ".doppler", ".infisical", ".config/ibmcloud", ".config/mongodb", ".mongodb", ".appwrite", ".cf", ".minikube", ".docker/contexts", ".talos", ".config/talos", ".lima/_config", ".config/flyctl", ".config/dagger", ".earthly", ".config/earthly", ".config/cachix", ".b2_account_info", ".config/b2", ".ipfs", ".davfs2", ".config/render", ".render", ".koyeb.yaml", ".deta", ".okteto", ".config/porter", ".config/civo", ".civo.json", ".config/temporalio", ".config/confluent", ".confluent", ".fauna-shell", ".config/firebase", ".nomad-token", ".consul-token", ".boundary", ".config/teleport", ".tsh", ".config/openfortivpn", ".config/protonvpn", ".config/mullvad-vpn", ".openvpn", ".config/zerotier",
		},
	},
	{
		What: "logins for forges, registries, model providers and other services", Why: "these files contain tokens", Runs: true, Keys: true, Write: Refused,
		Names: []string{
			".config/gh", ".config/hub", ".config/jira", ".config/lab", ".gist", ".transifexrc", ".wakatime.cfg", ".config/exercism", ".config/todoist", ".config/io.datasette.llm", ".config/fabric", ".config/shell_gpt", ".config/mods", ".config/aichat", ".config/tailscale", ".config/glab-cli", ".config/tea", ".config/github-copilot", ".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".git-credentials", ".config/git/credentials", ".subversion/auth", ".config/breezy",
			".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".composer/auth.json", ".config/composer/auth.json", ".pypirc", ".m2/settings-security.xml", ".sentryclirc", ".kaggle", ".config/kaggle", ".dbt/profiles.yml", ".config/wandb", ".config/pypoetry/auth.toml", ".jfrog", ".clojars", ".lein/credentials.clj", ".lein/credentials.clj.gpg", ".sbt/.credentials", ".ivy2/.credentials", ".hex/hex.config", ".pub-cache/credentials.json", ".config/dart/pub-credentials.json", ".circleci", ".travis", ".jira.d", ".config/.jira",
			".huggingface", ".cache/huggingface/token", ".cache/huggingface/stored_tokens", ".claude/.credentials.json", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".qwen/oauth_creds.json", ".config/anthropic", ".config/openai", ".local/share/opencode/auth.json", ".local/share/opencode/mcp-auth.json", ".omp/agent/auth.json", ".pi/agent/auth.json", ".config/goose/secrets.yaml", ".aider.conf.yml", ".config/aichat", ".config/io.datasette.llm/keys.json", ".config/fabric/.env", ".local/share/crush/crush.json", ".config/crush", ".continue/config.yaml", ".continue/config.json", ".codeium/config.json", ".copilot/config.json", ".ollama/id_ed25519", ".config/replicate", ".modal.toml", ".runpod", ".grok", ".local/share/amp/secrets.json", ".factory/auth.json", ".kiro", ".aws/sso", ".iflow/oauth_creds.json", ".augment/session.json", ".openhands", ".local/share/cursor-agent", ".config/sourcegraph", ".sourcegraph", ".tabnine", ".config/TabNine", ".supermaven", ".config/linear", ".config/sentry-cli", ".config/buildkite-agent", ".bk.yaml", ".config/bk.yaml", ".config/Postman", ".config/Insomnia", ".config/insomnia", ".config/bruno", ".config/hurl", ".config/evans", ".twine", ".config/twine", ".config/hatch/credentials", ".config/huggingface", ".config/spotify-player", ".cache/spotify-player", ".config/spotifyd", ".config/ncspot", ".cache/ncspot", ".config/gcalcli", ".gcalcli_oauth", ".config/gdrive", ".config/gdrive3", ".config/asciinema", ".local/share/atuin/key", ".local/share/atuin/session",
			".config/Code/User/globalStorage", ".config/Cursor/User/globalStorage", ".config/VSCodium/User/globalStorage", ".config/Code - OSS/User/globalStorage", ".config/Windsurf/User/globalStorage", ".cursor/mcp.json", ".codeium/windsurf", ".config/Claude", "Library/Application Support/Claude", "Library/Application Support/Code/User/globalStorage", "Library/Application Support/Cursor/User/globalStorage",
		},
	},
	{
		What: "key rings, password stores and wallets", Why: "these files contain keys and passwords", Keys: true, Write: Refused,
		Names: []string{
			".gnupg/private-keys-v1.d", ".gnupg/secring.gpg", ".vault_pass.txt", ".vault_pass", ".ansible/vault_pass", ".config/bw", ".password-store", ".local/share/gopass", ".local/share/keyrings", ".gnome2/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet",
			".config/keepassxc", ".config/op", ".config/1Password", ".1password", ".config/Bitwarden", ".config/Bitwarden CLI", ".config/sops", ".config/age", ".age", ".pgpass", ".mylogin.cnf", ".config/rbw", ".local/share/rbw", ".lastpass", ".config/lpass", ".local/share/lpass", ".putty", ".config/keybase", ".config/authy", ".local/share/authenticator", ".google_authenticator",
			".electrum", ".bitcoin", ".ethereum", ".config/solana", ".config/Exodus", ".config/Ledger Live", ".monero", ".foundry/keystores", ".near-credentials", ".aptos", ".sui", ".brownie/accounts", ".lnd", ".ssb", ".local/share/org.gnome.seahorse", ".pki", ".local/share/networkmanagement", ".config/kdeconnect", ".config/ente", ".config/proton-pass", ".config/passbolt", ".config/enpass", ".config/nordpass", ".local/share/pass", "Library/Keychains", "Library/Application Support/1Password", "Library/Application Support/Bitwarden",
		},
	},
	{
		What: "browsers, mail, messages and remote files", Why: "these files contain sessions, passwords and private text", Keys: true, Write: Refused,
		Names: []string{
			".mozilla", ".librewolf", ".waterfox", ".zen", ".thunderbird", ".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable", ".config/chromium",
			".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", "snap/firefox", "snap/chromium", "snap/thunderbird", ".var/app",
			".config/Signal", ".config/Slack", ".config/discord", ".config/Element", ".local/share/TelegramDesktop", ".mbsyncrc", ".msmtprc", ".config/msmtp", ".fetchmailrc", ".offlineimaprc", ".config/evolution", ".local/share/evolution", ".config/geary", ".config/himalaya", ".config/aerc", ".config/goa-1.0", ".purple", ".config/weechat", ".weechat", ".irssi", ".config/irc", ".config/profanity", ".config/teams",
			".config/filezilla", ".filezilla", ".config/remmina", ".local/share/remmina", ".vnc/passwd", ".config/tigervnc", ".config/freerdp", ".smbcredentials", ".cifs-credentials", ".config/lftp", ".lftp", ".ncftp", ".config/anydesk", ".anydesk", ".dropbox", ".config/maestral", ".config/Nextcloud", ".config/borg", ".config/restic", ".local/share/DBeaverData", ".config/httpie/sessions", ".httpie/sessions", ".config/Mattermost", ".config/Rocket.Chat", ".zuliprc", ".config/Zulip", ".config/WhatsApp", ".config/Session", ".config/Threema", ".local/share/nheko", ".config/nheko", ".local/share/iamb", ".local/share/fractal", ".config/gomuks", ".config/toot", ".config/tut", ".config/vdirsyncer", ".config/isyncrc", ".config/zoomus.conf", ".ICAClient", ".config/joplin-desktop", ".config/joplin", ".config/obsidian", ".config/Notion", ".local/share/pgadmin", ".pgadmin", ".config/pgcli", ".config/beekeeper-studio", ".config/Beekeeper Studio", ".config/MongoDB Compass",
			"Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", "Library/Application Support/BraveSoftware", "Library/Application Support/Microsoft Edge", "Library/Application Support/Slack", "Library/Cookies", "Library/Mail", "Library/Messages", "Library/Safari", "Library/Accounts",
		},
	},
	{
		What: "settings of package managers that may contain credentials", Why: "these files specify the hosts from which builds download packages, and some of the files contain tokens", Runs: true, Keys: true, Write: Asked, Words: "_auth _password npmAuth @ assword oken ecret __ \"auth\"",
		Names: []string{".npmrc", ".yarnrc.yml", ".config/pip/pip.conf", ".pip/pip.conf", ".config/uv/uv.toml", ".docker/config.json", ".m2/settings.xml", ".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config", ".bundle/config", ".terraformrc", ".condarc"},
	},
	{
		What: "client settings that may contain credentials", Why: "these files set options, hosts and programs for clients, and some of the files contain passwords", Runs: true, Keys: true, Write: Asked, Words: "user assword token",
		Names: []string{".my.cnf", ".wgetrc", ".curlrc", ".config/curlrc", ".pg_service.conf", ".hgrc", ".subversion/servers", ".aria2/aria2.conf", ".config/aria2/aria2.conf", ".config/yt-dlp/config", ".config/streamlink/config", ".config/gallery-dl/config.json"},
	},
}

// System contains the rows for places that only root can change. File tools never write to these
// places.
var System = [...]Row{
	{
		What: "settings and startup files of the system, its services and login sessions", Why: "shells, login sessions and the system run these files, or read settings from them", Runs: true, Write: Refused,
		Names: []string{
			"/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh", "/etc/zshrc", "/etc/zshenv", "/etc/zprofile", "/etc/environment", "/etc/gitconfig", "/etc/ssh",
			"/etc/crontab", "/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily", "/etc/cron.weekly", "/etc/cron.monthly", "/etc/anacrontab", "/var/spool/cron", "/var/spool/at",
			"/etc/init.d", "/etc/rc.local", "/etc/systemd", "/etc/xdg/autostart", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/pam.d", "/etc/sudoers", "/etc/sudoers.d", "/etc/udev", "/etc/claude-code",
			"/Library/LaunchAgents", "/Library/LaunchDaemons",
		},
	},
}

// Anywhere contains the rows that apply in every directory: files that other programs run, or read
// as settings, merely because the files are in a project. It omits the project's own code
// (Makefile, package.json, build scripts), which runs only in a build. It omits .github/workflows,
// whose commands run elsewhere, after a push.
var Anywhere = [...]Row{
	{
		What: "settings of other agents", Why: "these files specify programs that other agents start (hooks, servers, shell commands)", Runs: true, Write: Asked,
		Names: []string{
			".claude", ".claude.json", ".claude-plugin", ".mcp.json", ".cursor", ".codex", ".gemini", ".qwen", ".opencode", "opencode.json", "opencode.jsonc", ".crush", ".crush.json", "crush.json", ".windsurf", ".codeium", ".continue", ".cline", ".roo", ".roomodes", ".kilocode", ".kiro", ".trae", ".factory", ".augment", ".amazonq", ".junie", ".iflow", ".omp", ".pi", ".openhands", ".agents", ".aider.conf.yml", ".copilot", ".amp", ".goose",
			".github/hooks", ".kimi", ".vibe", ".forge", ".rovodev", ".qoder", ".codebuddy", ".qodo", ".zencoder", ".agent", ".antigravity", ".lingma", ".warp", ".void", ".tabnine", "gptme.toml",
		},
	},
	{
		What: "settings of editors", Why: "these files specify tasks, servers and programs that an editor runs when you open the project", Runs: true, Write: Asked,
		Names: []string{".vscode", "*.code-workspace", ".zed", ".idea", ".run", ".fleet", ".nova", ".devcontainer", ".devcontainer.json", ".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".lvimrc", ".local.vimrc", ".vim", ".dir-locals.el", ".dir-locals-2.el", ".helix", ".gdbinit", ".lldbinit", ".theia", ".vs", "*.sublime-project", ".externalToolBuilders"},
	},
	{
		What: "git hooks in a project's files", Why: "at the next commit, git runs these files, or the programs that the files specify", Runs: true, Write: Asked,
		Names: []string{".husky", ".huskyrc*", ".githooks", ".git-hooks", ".pre-commit-config.yaml", ".pre-commit-config.yml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", "lefthook-local.yml", "lefthook-local.yaml", ".lefthook", ".lefthook-local", ".overcommit.yml", ".git-hooks.yml", "captainhook.json", ".simple-git-hooks*", "simple-git-hooks*", ".lintstagedrc*", "lint-staged.config.*", "hk.pkl"},
	},
	{
		What: "settings of other version control systems", Why: "these files specify hooks, extensions and programs that the next hg, sl, pijul or darcs command runs", Runs: true, Write: Asked,
		Names: []string{".hg/hgrc", ".hg/hgrc-not-shared", ".sl/config", ".pijul/config", "_darcs/prefs", ".fossil-settings"},
	},
	{
		What: "files that a shell runs when it enters a directory", Why: "tools such as direnv and mise run these files when a shell enters the directory", Runs: true, Write: Asked,
		Names: []string{".envrc", ".envrc.*", ".direnv", ".autoenv", ".autoenv.zsh", ".mise.toml", "mise.toml", "mise.local.toml", ".mise.local.toml", "mise.*.toml", ".mise.*.toml", ".mise", ".config/mise.toml", ".config/mise", ".shadowenv.d", ".rtx.toml", ".ondir"},
	},
}

// FreeDirs lists unprotected subdirectories of protected directories. These subdirectories contain
// notes, or the working trees of other agents.
var FreeDirs = [...]string{".marvin/notes", ".claude/worktrees", ".cursor/worktrees", ".codex/worktrees"}

// TextDirs lists subdirectories of Marvin's directories. They contain skills and similar files from
// the user, and are readable in the sandbox, because skills can contain scripts.
var TextDirs = [...]string{"agents", "commands", "rules", "skills"}

// Each entry contains an environment variable that replaces a path below the home directory. A
// final slash includes all paths below. "ZDOTDIR/.zshrc" means the file .zshrc in $ZDOTDIR.
var moved = [...]struct{ variable, path string }{
	{"XDG_CONFIG_HOME", ".config/"},
	{"XDG_DATA_HOME", ".local/share/"},
	{"XDG_STATE_HOME", ".local/state/"},
	{"XDG_CACHE_HOME", ".cache/"},
	{"XDG_BIN_HOME", ".local/bin"},
	{"ZDOTDIR/.zshrc", ".zshrc"},
	{"ZDOTDIR/.zshenv", ".zshenv"},
	{"ZDOTDIR/.zprofile", ".zprofile"},
	{"ZDOTDIR/.zlogin", ".zlogin"},
	{"ZDOTDIR/.zlogout", ".zlogout"},
	{"ENV", ".profile"},
	{"BASH_ENV", ".bashrc"},
	{"INPUTRC", ".inputrc"},
	{"PYTHONSTARTUP", ".pythonrc"},
	{"VIMINIT", ".vimrc"},
	{"MYVIMRC", ".vimrc"},
	{"GIT_CONFIG_GLOBAL", ".gitconfig"},
	{"GNUPGHOME", ".gnupg/"},
	{"CARGO_HOME", ".cargo/"},
	{"GOPATH", "go/"},
	{"GOBIN", "go/bin"},
	{"PNPM_HOME", ".local/share/pnpm"},
	{"RUSTUP_HOME", ".rustup"},
	{"NPM_CONFIG_USERCONFIG", ".npmrc"},
	{"npm_config_userconfig", ".npmrc"},
	{"PIP_CONFIG_FILE", ".pip/pip.conf"},
	{"UV_CONFIG_FILE", ".config/uv/uv.toml"},
	{"BUNDLE_USER_CONFIG", ".bundle/config"},
	{"GRADLE_USER_HOME", ".gradle/"},
	{"DOCKER_CONFIG", ".docker/"},
	{"REGISTRY_AUTH_FILE", ".config/containers/auth.json"},
	{"KUBECONFIG", ".kube"},
	{"AWS_SHARED_CREDENTIALS_FILE", ".aws"},
	{"AWS_CONFIG_FILE", ".aws"},
	{"CLOUDSDK_CONFIG", ".config/gcloud"},
	{"AZURE_CONFIG_DIR", ".azure"},
	{"GOOGLE_APPLICATION_CREDENTIALS", ".config/gcloud"},
	{"OCI_CLI_CONFIG_FILE", ".oci"},
	{"PULUMI_HOME", ".pulumi/"},
	{"VAULT_TOKEN_PATH", ".vault-token"},
	{"TF_CLI_CONFIG_FILE", ".terraformrc"},
	{"KAGGLE_CONFIG_DIR", ".kaggle"},
	{"DBT_PROFILES_DIR", ".dbt/"},
	{"STEPPATH", ".step"},
	{"GH_CONFIG_DIR", ".config/gh"},
	{"GLAB_CONFIG_DIR", ".config/glab-cli"},
	{"NETRC", ".netrc"},
	{"CURL_HOME/.curlrc", ".curlrc"},
	{"WGETRC", ".wgetrc"},
	{"PGPASSFILE", ".pgpass"},
	{"HGRCPATH", ".hgrc"},
	{"HF_TOKEN_PATH", ".cache/huggingface/token"},
	{"HF_HOME", ".cache/huggingface/"},
	{"PASSWORD_STORE_DIR", ".password-store"},
	{"RCLONE_CONFIG", ".config/rclone"},
	{"SOPS_AGE_KEY_FILE", ".config/sops"},
	{"CLAUDE_CONFIG_DIR", ".claude/"},
	{"CODEX_HOME", ".codex/"},
	{"GEMINI_CONFIG_DIR", ".gemini/"},
	{"OPENCODE_CONFIG_DIR", ".config/opencode"},
	{"OPENCODE_CONFIG", ".config/opencode"},
	{"COPILOT_HOME", ".copilot/"},
}
