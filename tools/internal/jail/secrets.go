package jail

// What commands may not read, below the home directory: docs/sandbox.md shows this list.
// What is not there, or holds nothing of the kind, is not hidden.

// secretPlaces are hidden whole: where programs keep keys, logins and passwords.
var secretPlaces = [...]string{
	// clouds and clusters
	".aws", ".azure", ".config/gcloud", ".kube", ".oci", ".aliyun", ".bluemix", ".config/doctl", ".config/hcloud", ".config/linode-cli", ".config/scw", ".config/vercel",
	".local/share/com.vercel.cli", ".fly", ".netlify", ".config/netlify", ".config/configstore/firebase-tools.json", ".config/heroku", ".databrickscfg", ".snowsql", ".snowflake",
	".terraform.d/credentials.tfrc.json", ".vault-token", ".boto", ".s3cfg", ".config/rclone", ".config/wireguard", ".config/syncthing", ".config/containers/auth.json",
	// forges, registries and models
	".config/gh", ".config/hub", ".config/glab-cli", ".config/tea", ".config/github-copilot", ".netrc", "_netrc", ".git-credentials", ".config/git/credentials",
	".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".composer/auth.json", ".config/composer/auth.json", ".pypirc", ".m2/settings-security.xml",
	".huggingface", ".cache/huggingface/token", ".claude/.credentials.json", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".config/anthropic", ".config/openai",
	// keys and passwords
	".gnupg/private-keys-v1.d", ".gnupg/secring.gpg", ".password-store", ".local/share/gopass", ".local/share/keyrings", ".gnome2/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet",
	".config/keepassxc", ".config/op", ".config/1Password", ".1password", ".config/Bitwarden", ".config/Bitwarden CLI", ".config/sops", ".config/age", ".age", ".pgpass", ".mylogin.cnf",
	".electrum", ".bitcoin", ".ethereum", ".config/solana",
	// browsers, mail and messages
	".mozilla", ".librewolf", ".waterfox", ".zen", ".thunderbird", ".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable", ".config/chromium",
	".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", "snap/firefox", "snap/chromium", "snap/thunderbird", ".var/app",
	".config/Signal", ".config/Slack", ".config/discord", ".config/Element", ".local/share/TelegramDesktop", ".mbsyncrc", ".msmtprc", ".fetchmailrc", ".offlineimaprc",
}

// secretFiles are hidden if they have one of the words in them: without it they say
// where packages come from, which builds need.
var secretFiles = [...]struct{ path, words string }{
	{".npmrc", "_auth _password"},
	{".yarnrc.yml", "npmAuthToken npmAuthIdent"},
	{".config/pip/pip.conf", "@"},
	{".pip/pip.conf", "@"},
	{".config/uv/uv.toml", "@ password"},
	{".docker/config.json", `"auth" "identitytoken"`},
	{".m2/settings.xml", "<password>"},
	{".gradle/gradle.properties", "assword oken ecret"},
	{".nuget/NuGet/NuGet.Config", "assword"},
	{".bundle/config", "__"},
	{".terraformrc", "token"},
	{".my.cnf", "password"},
	{".wgetrc", "password"},
	{".curlrc", "user password token"},
	{".config/curlrc", "user password token"},
}

// socketPlaces are directories of sockets of programs that run commands for whoever asks.
// What is listened on elsewhere is found when a command begins: see listening.
var socketPlaces = [...]string{
	"/run/docker.sock", "/run/podman", "/run/containerd", "/run/crio", "/run/dbus", "/run/snapd.socket", "/run/libvirt",
	"/run/systemd/private", "/run/screen", "/run/WSL", "/run/user", "/var/run/docker.sock", "/var/run/dbus", "/run/postgresql", "/var/run/postgresql",
	"/run/mysqld", "/var/run/mysqld", "/run/uuidd", "/run/pcscd", "/tmp/.X11-unix",
}

// ownSocketPlaces are such directories below the home directory.
var ownSocketPlaces = [...]string{".docker/run", ".docker/desktop", ".colima", ".lima", ".rd", ".orbstack", ".local/share/containers/podman/machine"}

// spokenTo are sockets that commands do speak to, except in strict mode: those that tell
// names of hosts and users, and do nothing else. A star stands for any name.
var spokenTo = [...]string{
	"/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve", "/run/systemd/userdb/*", "/var/lib/sss/pipes/nss", "/run/avahi-daemon/socket",
	"/var/run/nscd/socket", "/var/run/avahi-daemon/socket",
}
