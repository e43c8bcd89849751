// The picture: three.js with one instanced mesh, and a camera that follows body 0.
import * as THREE from "three";
import { Reader } from "portamento/worker";

const MOST = 500;
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
scene.add(new THREE.HemisphereLight(0xffffff, 0x303040, 3));
const camera = new THREE.PerspectiveCamera(60, innerWidth / innerHeight, 0.1, 200);
const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(0.2, 0.2, 0.4), new THREE.MeshStandardMaterial(), MOST);
mesh.frustumCulled = false; // its bodies are elsewhere in every frame
mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
scene.add(mesh);

const worker = new Worker(new URL("./physics.worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data: buffer }) => {
  const reader = new Reader(buffer, {
    hz: 60,
    // An entity keeps its row while it lives: the place for what never changes.
    onBirth: (id, row) => mesh.setColorAt(row, new THREE.Color().setHSL((id % 50) / 50, 0.6, 0.6)),
  });
  renderer.setAnimationLoop((time) => {
    if (reader.frame(time)) {
      reader.matrices(mesh.instanceMatrix.array);
      mesh.count = reader.rows;
      mesh.instanceMatrix.needsUpdate = true;
      follow(reader);
    }
    renderer.render(scene, camera);
  });
};

/** The camera looks at what is drawn, not at what was simulated last: so the two never shake against each other.
 * @param {Reader} reader */
function follow(reader) {
  const target = reader.draw(0);
  if (!target) return;
  const [x, y, z] = target.now;
  const eye = new THREE.Vector3(x * 1.6, y + 3, z * 1.6);
  // By the time that the picture advanced; after a teleport at once.
  const share = target.cut ? 1 : 1 - Math.exp(-4 * reader.shown.presented);
  camera.position.lerp(eye, share);
  camera.lookAt(x, y, z);
}
