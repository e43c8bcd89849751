"use strict";
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);

  // Theme: the system's, until the reader chooses. A page opened from a file may have no storage.
  const stored = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  if (stored) root.dataset.theme = stored;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* it lasts as long as the page */ }
    players.forEach((p) => p.recolour());
  });
  dark.addEventListener("change", () => players.forEach((p) => p.recolour()));

  // Numbers travel as differences.
  const sums = (list) => { let total = 0; return list.map((d) => (total += d)); };
  const unpacked = new Map();
  const unpack = (index) => {
    if (!unpacked.has(index)) {
      const c = data.cases[index];
      const lanes = c.lanes.map((l) => ({ ...l, t: sums(l.t).map((t) => t / 1e5), x: sums(l.x), y: sums(l.y) }));
      const end = Math.max(0.1, ...lanes.map((l) => l.t[l.t.length - 1] || 0));
      unpacked.set(index, { ...c, lanes, end, truth: { ...c.truth, x: sums(c.truth.x), y: sums(c.truth.y) } });
    }
    return unpacked.get(index);
  };

  // A canvas wants colours as numbers; only a property that is a colour has its variables worked out.
  const probe = document.body.appendChild(document.createElement("i"));
  const resolved = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
  const sans = getComputedStyle(root).getPropertyValue("--sans");
  const wrap = (a, b) => ((a % b) + b) % b;

  class Player {
    constructor(box) {
      this.box = box;
      this.screens = this.box.querySelector(".screens");
      const find = (name) => this.box.querySelector("." + name);
      [this.playButton, this.scrub, this.clock] = [find("play"), find("scrub"), find("clock")];
      this.follow = this.box.querySelector(".follow input");
      this.time = 0; this.speed = 1; this.playing = false; this.seen = false; this.last = null;
      this.playButton.addEventListener("click", () => this.toggle());
      find("back").addEventListener("click", () => this.step(-1));
      find("next").addEventListener("click", () => this.step(1));
      this.scrub.addEventListener("input", () => { this.pause(); this.time = (this.scrub.value / 1000) * this.scene.end; this.draw(); });
      this.follow.addEventListener("change", () => this.draw());
      this.speedButtons = [...this.box.querySelectorAll("[data-speed]")];
      this.speedButtons.forEach((b) => b.addEventListener("click", () => this.setSpeed(+b.dataset.speed)));
      this.box.addEventListener("keydown", (e) => {
        if (e.target.matches("button, input")) return;
        if (e.key === " ") { e.preventDefault(); this.toggle(); }
        if (e.key === "ArrowLeft") this.step(-1);
        if (e.key === "ArrowRight") this.step(1);
      });
      this.box.tabIndex = 0;
      this.recolour();
      this.setSpeed(1);
      this.load(+box.dataset.first);
      new ResizeObserver(() => this.draw()).observe(this.box);
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      new IntersectionObserver((entries) => {
        const visible = entries[entries.length - 1].isIntersecting;
        if (visible && !this.seen && !calm) this.play();
        this.seen = this.seen || visible;
        this.visible = visible;
        if (visible && this.playing) this.tick();
      }, { threshold: 0.2 }).observe(this.box);
    }

    load(index) {
      const scene = unpack(index);
      this.scene = { ...scene, lanes: scene.lanes.map((lane) => ({ ...lane })) };
      this.screens.replaceChildren(...this.scene.lanes.map((lane) => {
        const screen = document.createElement("div");
        screen.className = "screen " + lane.class;
        const title = document.createElement("h3");
        title.append(lane.name);
        const figure = document.createElement("span");
        figure.textContent = `${Math.round(lane.latency * 1e3)} ms · judder ${lane.judder.toFixed(3)}`;
        title.append(figure);
        lane.canvas = document.createElement("canvas");
        lane.canvas.setAttribute("role", "img");
        lane.canvas.setAttribute("aria-label", `Playback of ${lane.name}`);
        screen.append(lane.canvas, title);
        return screen;
      }));
      this.bounds = this.extent();
      this.time = 0;
      this.draw();
    }

    extent() {
      const all = this.scene.truth;
      const low = (v) => v.reduce((a, b) => Math.min(a, b), Infinity), high = (v) => v.reduce((a, b) => Math.max(a, b), -Infinity);
      return { x: (low(all.x) + high(all.x)) / 2, y: (low(all.y) + high(all.y)) / 2, w: high(all.x) - low(all.x) || 1, h: high(all.y) - low(all.y) || 1 };
    }

    recolour() {
      this.colours = Object.fromEntries(["ink", "soft", "line", "faint", "card", "truth", "raw", "rival", "ours", "floor"].map((n) => [n, resolved(n)]));
      if (this.scene) this.draw();
    }

    setSpeed(speed) {
      this.speed = speed;
      this.speedButtons.forEach((b) => b.setAttribute("aria-pressed", String(+b.dataset.speed === speed)));
    }
    toggle() { if (this.playing) this.pause(); else this.play(); }
    pause() { this.playing = false; this.last = null; this.playButton.textContent = "▶"; }
    play() { this.playing = true; this.last = null; this.playButton.textContent = "❚❚"; this.tick(); }
    step(by) {
      this.pause();
      const t = this.scene.lanes[this.scene.lanes.length - 1].t;
      const k = Math.min(Math.max(this.frameAt(t, this.time) + by, 0), t.length - 1);
      this.time = t[k] + 1e-6;
      this.draw();
    }
    tick() {
      if (this.waiting || !this.playing || !this.visible) return;
      this.waiting = true;
      requestAnimationFrame((now) => {
        this.waiting = false;
        if (!this.playing) return;
        if (this.last !== null) this.time = wrap(this.time + ((now - this.last) / 1000) * this.speed, this.scene.end);
        this.last = this.visible ? now : null;
        this.draw();
        this.tick();
      });
    }

    // The last frame that was on the screen at this time.
    frameAt(times, time) {
      let low = 0, high = times.length;
      while (low < high) { const mid = (low + high) >> 1; if (times[mid] <= time) low = mid + 1; else high = mid; }
      return Math.max(low - 1, 0);
    }

    truthAt(time) {
      const { rate, lead, x, y } = this.scene.truth;
      const place = Math.min(Math.max((time + lead) * rate, 0), x.length - 1.001);
      const k = Math.floor(place), part = place - k;
      const from = k / rate - lead, cut = this.scene.cuts.find((c) => c > from && c <= from + 1 / rate);
      if (cut !== undefined) { const side = time >= cut ? k + 1 : k; return [x[side], y[side]]; }
      return [x[k] + (x[k + 1] - x[k]) * part, y[k] + (y[k + 1] - y[k]) * part];
    }

    draw() {
      this.scrub.value = Math.round((this.time / this.scene.end) * 1000);
      this.clock.textContent = this.time.toFixed(2) + " s";
      this.scene.lanes.forEach((lane) => this.drawLane(lane));
    }

    drawLane(lane) {
      const { canvas } = lane, box = canvas.getBoundingClientRect();
      if (!box.width) return;
      const ratio = Math.min(devicePixelRatio || 1, 2);
      const w = Math.round(box.width * ratio), h = Math.round(box.height * ratio);
      if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
      const c = canvas.getContext("2d"), colour = this.colours[lane.class.slice(2)], col = this.colours;
      c.setTransform(ratio, 0, 0, ratio, 0, 0);
      c.clearRect(0, 0, box.width, box.height);
      const strip = 54, width = box.width, height = box.height - strip;
      const k = this.frameAt(lane.t, this.time), shown = lane.t[k];
      const following = this.follow.checked;
      // Following: the camera is where the picture should be, so that what is seen of the body is its error.
      const [cx, cy] = following ? this.truthAt(shown - lane.latency) : [this.bounds.x, this.bounds.y];
      const scale = following ? Math.min(width / 0.9, height / 0.62) / this.scene.speed : Math.min((width - 40) / this.bounds.w, (height - 50) / this.bounds.h);
      const px = (x) => width / 2 + (x - cx) * scale, py = (y) => height / 2 + 8 - (y - cy) * scale;
      c.save();
      c.beginPath(); c.rect(0, 0, width, height); c.clip();
      this.ground(c, px, py, scale, width, height);
      this.walls(c, px, py);
      this.path(c, px, py, shown);
      // The last frames, as a stroboscope would leave them: even distances are what smooth looks like.
      c.fillStyle = colour;
      for (let i = Math.max(0, k - 26); i < k; i++) {
        c.globalAlpha = 0.08 + 0.42 * (1 - (k - i) / 27);
        c.beginPath(); c.arc(px(lane.x[i]), py(lane.y[i]), 2.6, 0, 7); c.fill();
      }
      c.globalAlpha = 1;
      const [tx, ty] = this.truthAt(shown);
      c.strokeStyle = col.truth; c.lineWidth = 1.5; c.setLineDash([3, 3]);
      c.beginPath(); c.arc(px(tx), py(ty), 8, 0, 7); c.stroke(); c.setLineDash([]);
      this.body(c, px(lane.x[k]), py(lane.y[k]), width, height);
      c.restore();
      this.speedStrip(c, lane, k, colour, width, box.height, strip);
    }

    // A body that has left the picture is pointed at from its edge.
    body(c, x, y, width, height) {
      const edge = 18, title = 44;
      const [ex, ey] = [Math.min(Math.max(x, edge), width - edge), Math.min(Math.max(y, title), height - edge)];
      const away = x < -9 || x > width + 9 || y < -9 || y > height + 9;
      c.beginPath();
      if (away) {
        c.translate(ex, ey); c.rotate(Math.atan2(y - ey, x - ex));
        c.moveTo(12, 0); c.lineTo(-6, 8); c.lineTo(-6, -8); c.closePath();
      } else c.arc(x, y, 9, 0, 7);
      c.fill();
      c.lineWidth = 2; c.strokeStyle = this.colours.card; c.stroke();
    }

    ground(c, px, py, scale, width, height) {
      let step = this.scene.speed / 8;
      while (step * scale < 22) step *= 2;
      const left = px(0), top = py(0), size = step * scale;
      c.fillStyle = this.colours.line;
      for (let x = wrap(left, size); x < width + 2; x += size) for (let y = wrap(top, size); y < height + 2; y += size) c.fillRect(x - 1, y - 1, 2, 2);
    }

    walls(c, px, py) {
      const wall = this.scene.wall;
      if (!wall) return;
      const [x, y] = [px(wall.low[0]), py(wall.high[1])];
      const box = [x, y, px(wall.high[0]) - x, py(wall.low[1]) - y];
      c.fillStyle = this.colours.line; c.strokeStyle = this.colours.soft; c.lineWidth = 1.5;
      c.fillRect(...box); c.strokeRect(...box);
    }

    path(c, px, py, shown) {
      c.strokeStyle = this.colours.truth; c.lineWidth = 5; c.lineCap = "round"; c.lineJoin = "round"; c.globalAlpha = 0.28;
      c.beginPath();
      let before = -Infinity;
      for (let t = shown - 0.9; t <= shown + 0.5; t += 1 / 60) {
        const [x, y] = this.truthAt(t);
        const cut = this.scene.cuts.some((at) => at > before && at <= t);
        if (before === -Infinity || cut) c.moveTo(px(x), py(y)); else c.lineTo(px(x), py(y));
        before = t;
      }
      c.stroke();
      c.globalAlpha = 1;
    }

    // How far each frame of the last while moved, per second: a flat line is smooth. Until there is a while to look
    // back on, the first one is shown whole, with a mark for now.
    speedStrip(c, lane, k, colour, width, bottom, strip) {
      const top = bottom - strip, col = this.colours, span = 1.2, full = this.scene.speed * 2.2;
      c.fillStyle = col.faint; c.fillRect(0, top, width, strip);
      c.fillStyle = col.soft; c.font = "11px " + sans; c.fillText("speed", 8, top + strip / 2 + 4);
      const left = 16 + c.measureText("speed").width; // the curve begins beside the word, not under it
      const end = Math.max(lane.t[k], lane.t[0] + span), last = this.frameAt(lane.t, end);
      const x = (t) => width - 6 - ((end - t) / span) * (width - 6 - left);
      const y = (v) => bottom - 5 - Math.min(v / full, 1) * (strip - 10);
      const line = (value, style, thick) => {
        c.strokeStyle = style; c.lineWidth = thick; c.beginPath();
        let open = false;
        for (let i = last; i > 0 && end - lane.t[i] < span; i--) {
          const v = value(i);
          if (v === null) { open = false; continue; }
          if (open) c.lineTo(x(lane.t[i]), y(v)); else c.moveTo(x(lane.t[i]), y(v));
          open = true;
        }
        c.stroke();
      };
      const cut = (a, b) => this.scene.cuts.some((at) => at > a && at <= b);
      line((i) => {
        const [a, b] = [lane.t[i - 1] - lane.latency, lane.t[i] - lane.latency];
        if (cut(a, b)) return null;
        const [x0, y0] = this.truthAt(a), [x1, y1] = this.truthAt(b);
        return Math.hypot(x1 - x0, y1 - y0) / (b - a);
      }, col.truth, 3);
      line((i) => Math.hypot(lane.x[i] - lane.x[i - 1], lane.y[i] - lane.y[i - 1]) / (lane.t[i] - lane.t[i - 1]), colour, 1.5);
      if (last > k) { c.fillStyle = col.soft; c.fillRect(x(lane.t[k]), top, 1, strip); }
    }
  }

  const players = [...document.querySelectorAll(".player")].map((box) => new Player(box));

  // Tabs of a scenario, and links from the overview into them.
  const open = (index) => {
    const panel = document.getElementById("case-" + index), section = panel.closest(".scenario");
    section.querySelectorAll(".case").forEach((p) => { p.hidden = p !== panel; });
    section.querySelectorAll(".tabs button").forEach((b) => {
      const chosen = +b.dataset.case === index;
      b.setAttribute("aria-selected", String(chosen));
      b.tabIndex = chosen ? 0 : -1;
    });
    players.find((p) => section.contains(p.box)).load(index);
    return section;
  };
  document.querySelectorAll(".tabs").forEach((tabs) => {
    tabs.addEventListener("click", (e) => { const tab = e.target.closest("button"); if (tab) open(+tab.dataset.case); });
    tabs.addEventListener("keydown", (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!by) return;
      const all = [...tabs.children], next = all[wrap(all.indexOf(document.activeElement) + by, all.length)];
      next.focus(); open(+next.dataset.case);
    });
    [...tabs.children].forEach((b) => { b.tabIndex = b.getAttribute("aria-selected") === "true" ? 0 : -1; });
  });
  document.querySelectorAll(".g-row, .complaints a").forEach((row) => row.addEventListener("click", (e) => {
    e.preventDefault();
    open(+row.dataset.case).scrollIntoView();
  }));

  // Values beside the pointer.
  const tip = document.createElement("div");
  tip.id = "tip";
  document.body.append(tip);
  document.addEventListener("pointermove", (e) => {
    const of = e.target.closest && e.target.closest("[data-tip]");
    tip.classList.toggle("on", Boolean(of));
    if (!of) return;
    tip.textContent = of.dataset.tip;
    const half = tip.offsetWidth / 2 + 6;
    tip.style.left = Math.min(Math.max(e.clientX, half), innerWidth - half) + "px";
    tip.style.top = e.clientY + "px";
  });
})();
